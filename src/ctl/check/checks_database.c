/* Checks of the database server: its clock, whether it takes writes, and the service's rights. */
#include <stdlib.h>
#include <string.h>

#include "access/passkey.h"
#include "base/clock.h"
#include "ctl/check/checks.h"
#include "store/schema/installation.h"
#include "store/account/user.h"
#include "store/schema/server_facts.h"

/* The rights that the service's statements need. */
static const char *const needed[] = { "SELECT", "INSERT", "UPDATE", "DELETE" };
/* Rights that the service's user should not have. With them, a defect of the service could do more
 * harm. */
static const char *const excessive[] = { "DROP",  "ALTER", "CREATE",   "INDEX",	      "FILE",
					 "SUPER", "GRANT", "SHUTDOWN", "CREATE USER", "PROCESS" };

static bool has(const struct server_privileges *privileges, const char *name)
{
	for (size_t i = 0; i < privileges->count; i++)
		if (strcmp(privileges->names[i], name) == 0)
			return true;
	return false;
}

/* Returns, as one text, those of `names` that are among the privileges. If `wanted` is false,
 * returns those that are not among them. NULL: none. */
static const char *listed_privileges(struct ctl *ctl, const struct server_privileges *privileges,
				     const char *const *names, size_t count, bool wanted)
{
	const char *text = NULL;
	for (size_t i = 0; i < count; i++)
		if (has(privileges, names[i]) == wanted)
			text = arena_printf(&ctl->arena, "%s%s%s", text ? text : "",
					    text ? ", " : "", names[i]);
	return text;
}

static struct check check_privileges(struct ctl *ctl)
{
	struct server_privileges privileges = { 0 };
	const char *user = ctl->config.database_user;
	enum result result = server_privileges_read(ctl->db, &ctl->arena, &privileges, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	const char *lacks = listed_privileges(ctl, &privileges, needed, ARRAY_LEN(needed), false);
	const char *exceeds =
		listed_privileges(ctl, &privileges, excessive, ARRAY_LEN(excessive), true);
	if (lacks && listed_privileges(ctl, &privileges, needed, ARRAY_LEN(needed), true))
		return check_fault(ctl,
				   arena_printf(&ctl->arena, "GRANT %s ON %s.* TO the user", lacks,
						ctl->config.database_name),
				   "%s has no right to %s", user, lacks);
	if (lacks)
		return (struct check){ OK, "a role gives the rights, which cannot be listed",
				       .is_skipped = true };
	if (exceeds && ctl->config.migrate_user)
		return check_warning(ctl,
				     arena_printf(&ctl->arena, "REVOKE these rights from %s", user),
				     "%s may also %s, which only %s needs", user, exceeds,
				     ctl->config.migrate_user);
	return (struct check){ OK,
			       exceeds ? "one user changes rows and tables (no migrate_user is set)"
				       : "the service's user may change rows only" };
}

static struct check check_writes(const struct server_facts *facts)
{
	if (facts->is_read_only)
		return (struct check){ E_REFUSED, "the database is read-only: every write gets 503",
				       .fix = "SET GLOBAL read_only = OFF on the primary, or list "
					      "the primary in [database] hosts" };
	return (struct check){ OK, "the database takes writes" };
}

static struct check check_clock(struct ctl *ctl, const struct server_facts *facts,
				struct instant now)
{
	enum { WARNING_S = 2, FAULT_S = 30 };
	long long off_s = (long long)(facts->now_s - now.s);
	struct check check = { OK, "this machine and the database agree" };
	if (llabs(off_s) < WARNING_S)
		return check;
	check.detail = arena_printf(&ctl->arena, "the database's clock is %lld s %s", llabs(off_s),
				    off_s > 0 ? "ahead" : "behind");
	check.fix = "synchronise both clocks (chrony, systemd-timesyncd)";
	check.is_warning = llabs(off_s) < FAULT_S;
	check.result = check.is_warning ? OK : E_FAILED;
	return check;
}

static void free_db(struct db **db)
{
	if (*db)
		db_free(*db);
}

/* Checks that migrate_user can log in: `migrate` and the nightly `backup` use this user. */
static struct check check_migrate_user(struct ctl *ctl)
{
	const struct db_login login = db_login_of(&ctl->config, true);
	struct db *db CLEANUP(free_db) = db_new(&login);
	struct server_facts facts;
	enum result result = server_facts_read(db, &ctl->arena, &facts, &ctl->error);
	if (result == OK)
		return (struct check){ OK, "can log in" };
	if (!db_is_denied(db))
		return check_failure(ctl, result);
	return check_fault(ctl,
			   "set [database] migrate_password to the password of that user, or, if "
			   "the database has one user only, remove migrate_user and "
			   "migrate_password",
			   "%s cannot log in, so that backup and migrate fail",
			   ctl->config.migrate_user);
}

static struct check check_other_installation(struct ctl *ctl)
{
	const char *address;
	enum result result = installation_find_other(ctl->db, ctl->config.base_url, clock_now(),
						     &ctl->arena, &address, &ctl->error);
	if (result != OK)
		return check_failure(ctl, result);
	if (address)
		return check_fault(
			ctl,
			"give each installation a database of its own, or all web machines of one "
			"installation the same base_url",
			"an installation with the address %s uses the same database: each "
			"publishes the pages of the other",
			address);
	return (struct check){ OK, "no other one uses the database" };
}

/* Checks the host names of passkeys: browsers use a passkey only at the host where it was added. */
static struct check check_passkeys(struct ctl *ctl)
{
	const char *host = passkey_rp_id(ctl->config.base_url, &ctl->arena);
	struct user_passkey other;
	enum result result =
		user_passkey_find_elsewhere(ctl->db, host, &ctl->arena, &other, &ctl->error);
	if (result == OK)
		return check_warning(
			ctl,
			"let their owners add passkeys at the present address, and remove those of "
			"the former one",
			"there are passkeys of %s, which do not work at %s", other.rp_id, host);
	return result == E_NOT_FOUND ? (struct check){ OK, "no other host name has passkeys" }
				     : check_failure(ctl, result);
}

void checks_of_installation(struct ctl *ctl, struct checks *checks)
{
	if (ctl->config.migrate_user)
		checks_add(checks, "migrate_user", check_migrate_user(ctl));
	checks_add(checks, "installation", check_other_installation(ctl));
	if (ctl->config.has_console && ctl->config.base_url)
		checks_add(checks, "passkeys", check_passkeys(ctl));
}

bool checks_of_database(struct ctl *ctl, struct checks *checks)
{
	struct server_facts facts;
	enum result result = server_facts_read(ctl->db, &ctl->arena, &facts, &ctl->error);
	if (result != OK) {
		checks_add(checks, "database server",
			   (struct check){ result,
					   arena_strdup(&ctl->arena, error_text(&ctl->error)),
					   .fix = "start the database, and check [database] "
						  "in the configuration" });
		return false;
	}
	checks_add(checks, "writes", check_writes(&facts));
	checks_add(checks, "clock", check_clock(ctl, &facts, clock_now()));
	checks_add(checks, "rights", check_privileges(ctl));
	return true;
}
