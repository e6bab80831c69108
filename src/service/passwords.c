#include "service/passwords.h"

#include <fcntl.h>

#include "base/fd.h"
#include "base/hashing.h"
#include "publish/folder/pages_dir.h"

/* Values for struct hashing_limits. During WAIT_MS, one core computes about thirty hashes.
 * LAST_THREADS is a number of waits per second and process. */
enum { WAIT_MS = 1000, LAST_THREADS = 10 };

static enum result begin_hashing(struct service *service, struct hashing *turn)
{
	const struct config *config = service->config;
	const struct hashing_limits limits = { config->threads, config->processes, WAIT_MS,
					       LAST_THREADS };
	int folder_fd CLEANUP(close_fd) =
		open(config->pages_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (hashing_begin(turn, &limits, folder_fd, PAGES_HASHING_FILE))
		return OK;
	return error_client(service->error, E_BUSY,
			    "Too many passwords are being checked at the moment. Nothing was "
			    "changed; please try again.");
}

/*
 * Reports that memory is short. Other processes share the machine's memory, so the same request
 * may succeed later.
 */
static enum result no_memory(struct service *service)
{
	return error_log(service->error, E_BUSY, "no memory to hash a password");
}

enum result service_hash_password(struct service *service, const char *password, const char **hash)
{
	struct hashing turn;
	enum result result = begin_hashing(service, &turn);
	if (result != OK)
		return result;
	*hash = secret_password_hash(service->arena, str_from(password));
	hashing_end(&turn);
	return *hash ? OK : no_memory(service);
}

enum result service_password_matches(struct service *service, const char *hash,
				     const char *password, bool *is_right)
{
	struct hashing turn;
	enum result result = begin_hashing(service, &turn);
	if (result != OK)
		return result;
	result = secret_password_matches(hash, str_from(password), is_right);
	hashing_end(&turn);
	return result == OK ? OK : no_memory(service);
}
