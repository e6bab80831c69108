/* How much of the configured limits one process and one account may use. */
#include "base/config/config.h"

/*
 * All incomplete requests together may use a quarter of a process's memory. One complete request
 * may claim half of it. So slow clients cannot block a complete request. A quarter has room for the
 * largest body.
 */
enum { UNFINISHED_PART = 4 };

size_t config_process_bytes(const struct config *config)
{
	/* The least memory of a process: half of it suffices for the longest list. */
	enum { LEAST_MB = 16 };
	int64_t bytes = (config->memory_mb / config->processes) << 20;
	int64_t largest = UNFINISHED_PART * config->max_body_bytes;
	if (config->memory_mb == 0)
		return 0;
	if (bytes < largest)
		bytes = largest;
	return (size_t)(bytes > LEAST_MB << 20 ? bytes : LEAST_MB << 20);
}

int64_t config_half_threads(const struct config *config)
{
	return config->threads > 1 ? config->threads / 2 : 1;
}

int64_t config_account_threads(const struct config *config)
{
	enum { ROWS = 4 };
	int64_t rows = ROWS * config_half_threads(config);
	int64_t half = (config->threads + CONFIG_STAND_INS_MAX) / 2;
	return rows < half ? rows : half;
}

size_t config_unfinished_bytes(const struct config *config)
{
	int64_t unlimited = (int64_t)UNFINISHED_PART * config->max_body_bytes;
	size_t bytes = config_process_bytes(config);
	return bytes > 0 ? bytes / UNFINISHED_PART : (size_t)unlimited;
}
