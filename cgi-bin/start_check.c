#include "start_check.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/log.h"
#include "store/migration.h"

static void look(const struct config *config)
{
	enum { ARENA_MAX_BYTES = 4 << 20 };
	struct arena arena CLEANUP(arena_done);
	struct error error = { 0 };
	const char *lack = NULL;
	struct db_login login = db_login_of(config, false);
	struct db *db = db_new(&login);
	arena_init(&arena, ARENA_MAX_BYTES);
	if (migration_lack(db, &arena, &lack, &error) != OK)
		log_warn("start", "the database cannot be used: %s", error_text(&error));
	else if (lack)
		log_warn("start", "the database is not up to date: %s: daymarkctl migrate", lack);
	db_free(db);
}

void start_check(const struct config *config)
{
	pid_t pid = fork();
	if (pid != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	look(config);
	_exit(EX_OK);
}
