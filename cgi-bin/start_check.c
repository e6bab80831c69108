#include "start_check.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "store/schema/migration.h"

static void log_database(const struct config *config)
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

void start_check(const struct config *config, int listen_fd)
{
	pid_t pid = fork();
	/*
	 * Fork twice, so that the check is not a child of the supervisor, which expects only
	 * processes of its roles.
	 */
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (pid != 0)
		return;
	if (fork() != 0)
		_exit(EX_OK);
	/*
	 * Close this copy of the socket: with the copy open, the socket would stay in use if the
	 * service restarted while the check waits for the database.
	 */
	close_fd(&listen_fd);
	log_database(config);
	_exit(EX_OK);
}
