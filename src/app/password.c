#include "app/password.h"

#include <fcntl.h>

#include "base/fd.h"
#include "base/hashing.h"
#include "publish/pages_dir.h"

/* Some thirty hashes; and what a second may keep from all other requests. */
enum { WAIT_MS = 1000, LAST_THREADS = 10 };

static enum result begin(struct exchange *exchange, struct hashing *turn)
{
	const struct config *config = exchange->config;
	const struct hashing_limits limits = { config->threads, config->processes, WAIT_MS,
					       LAST_THREADS };
	int folder_fd CLEANUP(close_fd) =
		open(config->pages_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (hashing_begin(turn, &limits, folder_fd, PAGES_HASHING_FILE))
		return OK;
	return error_client(&exchange->error, E_BUSY,
			    "Too many passwords are being checked at the moment. Nothing was "
			    "changed; please try again.");
}

enum result password_hash(struct exchange *exchange, const char *password, const char **hash)
{
	struct hashing turn;
	enum result result = begin(exchange, &turn);
	if (result != OK)
		return result;
	*hash = secret_password_hash(&exchange->arena, str_from(password));
	hashing_end(&turn);
	return *hash ? OK : error_log(&exchange->error, E_FAILED, "no memory to hash a password");
}

enum result password_matches(struct exchange *exchange, const char *hash, const char *password,
			     bool *is_right)
{
	struct hashing turn;
	enum result result = begin(exchange, &turn);
	if (result != OK)
		return result;
	*is_right = secret_password_matches(hash, str_from(password));
	hashing_end(&turn);
	return OK;
}
