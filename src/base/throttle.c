#include "base/throttle.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/secret.h"
#include "base/str.h"

struct throttle_slot {
	uint64_t who; /* a hash */
	int64_t since_s;
	int64_t ends_s;
	int64_t count;
};

enum { SLOTS = 16384, PROBES = 8, FILE_BYTES = SLOTS * sizeof(struct throttle_slot) };

bool throttle_open(struct throttle *throttle, int folder_fd, const char *name)
{
	*throttle = THROTTLE_CLOSED;
	throttle->fd = openat(folder_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (throttle->fd < 0)
		return false;
	void *mapped = MAP_FAILED;
	if (ftruncate(throttle->fd, FILE_BYTES) == 0)
		mapped = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, throttle->fd,
			      0);
	if (mapped != MAP_FAILED) {
		throttle->slots = mapped;
		return true;
	}
	throttle_close(throttle);
	return false;
}

void throttle_close(struct throttle *throttle)
{
	if (throttle->slots)
		munmap(throttle->slots, FILE_BYTES);
	if (throttle->fd >= 0)
		close(throttle->fd);
	*throttle = THROTTLE_CLOSED;
}

static bool is_over(const struct throttle_slot *slot, int64_t now_s)
{
	/* A clock that was set back must not lock anybody out. */
	return slot->ends_s <= now_s || slot->since_s > now_s;
}

/* Its own slot; else one that is free; else, when none of its probes is, the first of them. */
static struct throttle_slot *slot_of(struct throttle *throttle, uint64_t who, int64_t now_s)
{
	struct throttle_slot *free_slot = NULL;
	for (uint64_t i = 0; i < PROBES; i++) {
		struct throttle_slot *slot = &throttle->slots[(who + i) % SLOTS];
		if (slot->who == who && !is_over(slot, now_s))
			return slot;
		if (!free_slot && is_over(slot, now_s))
			free_slot = slot;
	}
	return free_slot ? free_slot : &throttle->slots[who % SLOTS];
}

static uint64_t number_of(const char *who)
{
	uint8_t hash[SECRET_HASH_BYTES];
	uint64_t number;
	secret_hash(str_from(who), hash);
	memcpy(&number, hash, sizeof(number));
	return number;
}

struct throttle_count throttle_take(struct throttle *throttle, const char *who,
				    const struct throttle_rule *rule, int64_t now_s)
{
	uint64_t number = number_of(who);
	/* Where it cannot be locked, counts may be lost and nothing worse. */
	int locked = flock(throttle->fd, LOCK_EX);
	struct throttle_slot *slot = slot_of(throttle, number, now_s);
	if (is_over(slot, now_s))
		*slot = (struct throttle_slot){ number, now_s, now_s + rule->window_s, 0 };
	int64_t count = ++slot->count, wait_s = slot->ends_s - now_s;
	if (locked == 0)
		flock(throttle->fd, LOCK_UN);
	return (struct throttle_count){
		.is_over = count > rule->limit,
		.left = count < rule->limit ? rule->limit - count : 0,
		.wait_s = wait_s,
	};
}

void throttle_give_back(struct throttle *throttle, const char *who, int64_t now_s)
{
	uint64_t number = number_of(who);
	int locked = flock(throttle->fd, LOCK_EX);
	struct throttle_slot *slot = slot_of(throttle, number, now_s);
	if (slot->who == number && !is_over(slot, now_s) && slot->count > 0)
		slot->count--;
	if (locked == 0)
		flock(throttle->fd, LOCK_UN);
}
