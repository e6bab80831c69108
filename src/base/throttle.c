#include "base/throttle.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/secret.h"
#include "base/str.h"

struct slot {
	uint64_t who; /* hash of the name */
	int64_t since_s;
	int64_t ends_s;
	int64_t count;
};

/* The hash of a name determines its first slot. The name's count is in this slot or in one of the
 * next PROBES - 1 slots. */
enum {
	SLOTS = 16384,
	PROBES = 8,
	KEY_AT = (SLOTS + PROBES - 1) * sizeof(struct slot),
	FILE_BYTES = KEY_AT + sizeof(uint64_t),
};

/* Allocates the whole file now. A sparse file would need space later, when the disk may be full. */
static bool allocate_file(int fd)
{
	struct stat status;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	if (status.st_size >= FILE_BYTES && status.st_blocks * 512 >= FILE_BYTES)
		return true;
	int outcome;
	do
		outcome = fallocate(fd, 0, 0, FILE_BYTES);
	while (outcome != 0 && errno == EINTR);
	/* Some file systems cannot reserve space. On these file systems a later write may fail. */
	return outcome == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

/* Reads the random key of the file. If the file has no key yet, makes one. */
static bool find_key(int fd, uint64_t *key)
{
	*key = 0;
	if (flock(fd, LOCK_EX) != 0 || pread(fd, key, sizeof(*key), KEY_AT) < 0)
		return false;
	if (*key == 0) {
		secret_random(key, sizeof(*key));
		if (pwrite(fd, key, sizeof(*key), KEY_AT) != (ssize_t)sizeof(*key))
			return false;
	}
	return flock(fd, LOCK_UN) == 0;
}

bool throttle_open(struct throttle *throttle, int folder_fd, const char *name)
{
	throttle->fd = openat(folder_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (throttle->fd < 0)
		return false;
	if (allocate_file(throttle->fd) && find_key(throttle->fd, &throttle->key))
		return true;
	int reason = errno;
	throttle_close(throttle);
	errno = reason;
	return false;
}

void throttle_close(struct throttle *throttle)
{
	if (throttle->fd >= 0)
		close(throttle->fd);
	*throttle = THROTTLE_CLOSED;
}

static bool is_over(const struct slot *slot, int64_t now_s)
{
	/* A window begins in the future if the clock was set back. Such a window counts as over,
	 * so that it does not lock out clients. */
	return slot->ends_s <= now_s || slot->since_s > now_s;
}

/* A name's hash and slot, and the offset of the slot in the file. */
struct place {
	uint64_t who;
	off_t offset;
	struct slot slot;
};

static uint64_t number_of(const struct throttle *throttle, const char *who)
{
	uint8_t hash[SECRET_HASH_BYTES];
	uint64_t number;
	struct secret_digest digest;
	secret_digest_init(&digest);
	secret_digest_add(&digest, &throttle->key, sizeof(throttle->key));
	secret_digest_add(&digest, who, strlen(who));
	secret_digest_end(&digest, hash);
	memcpy(&number, hash, sizeof(number));
	return number;
}

static int64_t count_in(const struct slot *slot, int64_t now_s)
{
	return is_over(slot, now_s) ? 0 : slot->count;
}

/* Returns the index of the slot that counts the name. If no slot counts the name, returns the index
 * of the slot with the lowest count. */
static size_t choose_slot(const struct slot *slots, uint64_t who, int64_t now_s)
{
	size_t chosen = 0;
	for (size_t i = 0; i < PROBES; i++) {
		if (slots[i].who == who && !is_over(&slots[i], now_s))
			return i;
		if (count_in(&slots[i], now_s) < count_in(&slots[chosen], now_s))
			chosen = i;
	}
	return chosen;
}

static bool read_place(const struct throttle *throttle, const char *who, int64_t now_s,
		       struct place *place)
{
	/* Slots beyond the end of a truncated file stay zero. */
	struct slot slots[PROBES] = { 0 };
	place->who = number_of(throttle, who);
	place->offset = (off_t)(place->who % SLOTS * sizeof(struct slot));
	if (pread(throttle->fd, slots, sizeof(slots), place->offset) < 0)
		return false;
	size_t chosen = choose_slot(slots, place->who, now_s);
	place->offset += (off_t)(chosen * sizeof(struct slot));
	place->slot = slots[chosen];
	return true;
}

/* Whether the slot has a count of this name in a window that has not ended. */
static bool is_of_place(const struct place *place, int64_t now_s)
{
	return place->slot.who == place->who && !is_over(&place->slot, now_s);
}

static bool write_place(const struct throttle *throttle, const struct place *place)
{
	ssize_t written = pwrite(throttle->fd, &place->slot, sizeof(place->slot), place->offset);
	if (written >= 0 && written < (ssize_t)sizeof(place->slot))
		errno = ENOSPC;
	return written == (ssize_t)sizeof(place->slot);
}

/* Locks the file. Returns false on a file system without locks, on which counts may be lost. */
static bool lock_file(const struct throttle *throttle)
{
	return flock(throttle->fd, LOCK_EX) == 0;
}

static void unlock_file(const struct throttle *throttle, bool is_locked)
{
	int reason = errno;
	if (is_locked)
		flock(throttle->fd, LOCK_UN);
	errno = reason;
}

bool throttle_take(struct throttle *throttle, const char *who, const struct throttle_rule *rule,
		   int64_t now_s, struct throttle_count *count)
{
	struct place place;
	bool is_locked = lock_file(throttle);
	bool is_counted = read_place(throttle, who, now_s, &place);
	if (is_counted && !is_of_place(&place, now_s))
		place.slot = (struct slot){ place.who, now_s, now_s + rule->window_s, 0 };
	if (is_counted) {
		place.slot.count++;
		is_counted = write_place(throttle, &place);
	}
	unlock_file(throttle, is_locked);
	*count = (struct throttle_count){ false, rule->limit, 1 };
	if (is_counted)
		*count = (struct throttle_count){
			.is_over = place.slot.count > rule->limit,
			.left = place.slot.count < rule->limit ? rule->limit - place.slot.count : 0,
			.wait_s = place.slot.ends_s - now_s,
		};
	return is_counted;
}

bool throttle_is_used_up(struct throttle *throttle, const char *who,
			 const struct throttle_rule *rule, int64_t now_s)
{
	struct place place;
	bool is_locked = lock_file(throttle);
	bool is_read = read_place(throttle, who, now_s, &place);
	unlock_file(throttle, is_locked);
	return is_read && is_of_place(&place, now_s) && place.slot.count >= rule->limit;
}

void throttle_give_back(struct throttle *throttle, const char *who, int64_t now_s)
{
	struct place place;
	bool is_locked = lock_file(throttle);
	if (read_place(throttle, who, now_s, &place) && is_of_place(&place, now_s) &&
	    place.slot.count > 0) {
		place.slot.count--;
		/* If the write fails, the count stays too high, which is safe. */
		(void)write_place(throttle, &place);
	}
	unlock_file(throttle, is_locked);
}
