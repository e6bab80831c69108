#include "base/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/metrics_cells.h"

/* The waits between two looks at the file, and between two attempts to make it. The second wait is
 * longer, because a write to a full disk is slow. */
enum { LOOK_MS = 1000, MAKE_AGAIN_MS = 10000 };

static struct {
	struct metrics_memory *memory; /* never moves; NULL: nothing is counted */
	uint64_t version;	       /* the version of this program */
	char path[PATH_MAX];
	bool makes;
	dev_t device; /* the device and the inode of the mapped file */
	ino_t number; /* 0: no file is mapped, or the mapped file is no longer at the path */
	/* A part of the file could not be read, and the mapping is now anonymous memory. */
	atomic_bool is_lost;
	_Atomic int64_t look_ms; /* when to look at the file next, by clock_ms() */
	pthread_mutex_t mutex;	 /* protects all members but `memory` */
	struct sigaction before; /* the former handler of SIGBUS */
} here = { .mutex = PTHREAD_MUTEX_INITIALIZER };

/* Replaces the mapping in one step, because other threads are counting in it. */
static bool map(int fd, int flags)
{
	return mmap(here.memory, sizeof(*here.memory), PROT_READ | PROT_WRITE,
		    MAP_FIXED | MAP_SHARED | flags, fd, 0) != MAP_FAILED;
}

static bool map_memory(void)
{
	if (!map(-1, MAP_ANONYMOUS))
		return false;
	atomic_store(&here.memory->version, here.version);
	return true;
}

/* Handles SIGBUS, which means that the mapped file was truncated, or that its disk is full or
 * fails. Replaces the mapping by anonymous memory. */
static void mend_fault(int number, siginfo_t *fault, void *context)
{
	uintptr_t at = (uintptr_t)fault->si_addr, first = (uintptr_t)here.memory;
	(void)number;
	(void)context;
	atomic_store(&here.is_lost, true);
	/* If the fault is outside of the mapping, or the memory cannot be replaced, restore the
	 * former handler. The fault then happens again, and the former handler gets it. */
	if (at < first || at >= first + sizeof(*here.memory) || !map_memory())
		sigaction(SIGBUS, &here.before, NULL);
}

/* Renames the new file to here.path. If `replaces` is false, does not replace a file that another
 * process has put there. */
static bool name_file(const char *path, bool replaces)
{
	if (replaces)
		return rename(path, here.path) == 0;
	/* Some file systems do not support RENAME_NOREPLACE. */
	return renameat2(AT_FDCWD, path, AT_FDCWD, here.path, RENAME_NOREPLACE) == 0 ||
	       (errno == EINVAL && rename(path, here.path) == 0);
}

/*
 * Makes a file with the values that this process has. `replaces`: the new file may replace a file
 * at the path. Writes all cells, because a sparse file would need more space later, when the disk
 * may be full.
 */
static void make_file(bool replaces)
{
	char path[PATH_MAX + 16];
	struct metrics_memory *copy = malloc(sizeof(*copy));
	if (!copy)
		return;
	/* Copy the values first: if the mapped file was truncated, write() would fail, but
	 * mend_fault() handles the fault of memcpy(). */
	memcpy(copy, here.memory, sizeof(*copy));
	if (copy->version != here.version)
		*copy = (struct metrics_memory){ .version = here.version };
	snprintf(path, sizeof(path), "%s-%d", here.path, (int)getpid());
	unlink(path);
	int fd CLEANUP(close_fd) =
		open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 &&
	    (write(fd, copy, sizeof(*copy)) != sizeof(*copy) || !name_file(path, replaces)))
		unlink(path);
	free(copy);
}

/* Maps the file if it has the right size and version. */
static bool join_file(void)
{
	struct stat file;
	uint64_t version = 0;
	here.number = 0;
	int fd CLEANUP(close_fd) = open(here.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) ||
	    file.st_size != sizeof(*here.memory) ||
	    pread(fd, &version, sizeof(version), 0) != sizeof(version) || version != here.version ||
	    !map(fd, 0))
		return false;
	here.device = file.st_dev;
	here.number = file.st_ino;
	atomic_store(&here.is_lost, false);
	return true;
}

/* Maps the file. If here.makes is true, and the file does not exist or is damaged, makes it first.
 * `replaces`: also replaces a file of another version. */
static void look(bool replaces)
{
	struct stat file;
	bool is_there = lstat(here.path, &file) == 0;
	bool is_mapped = is_there && here.number != 0 && !atomic_load(&here.is_lost) &&
			 file.st_ino == here.number && file.st_dev == here.device;
	/* The file is damaged if its size is wrong, or if its version has changed since it was
	 * mapped. */
	bool is_whole = is_there && file.st_size == sizeof(*here.memory) &&
			!(is_mapped && atomic_load(&here.memory->version) != here.version);
	if (is_mapped && is_whole)
		return;
	if (!join_file() && here.makes && (replaces || !is_whole)) {
		make_file(is_there);
		/* Version 0 tells the processes that share the former memory to map the new file
		 * before they count further. */
		atomic_store(&here.memory->version, 0);
		if (!join_file())
			atomic_store(&here.memory->version, here.version);
	}
}

static void catch_faults(void)
{
	struct sigaction action = { .sa_sigaction = mend_fault, .sa_flags = SA_SIGINFO }, before;
	if (sigaction(SIGBUS, &action, &before) == 0 && before.sa_sigaction != mend_fault)
		here.before = before;
}

void metrics_open(const char *folder, bool makes)
{
	int len = snprintf(here.path, sizeof(here.path), "%s/" METRICS_FILE, folder);
	if ((size_t)len >= sizeof(here.path))
		return;
	here.makes = makes;
	if (!here.memory) {
		void *memory = mmap(NULL, sizeof(*here.memory), PROT_NONE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return;
		here.memory = memory;
		here.version = metrics_version();
		if (!map_memory())
			die("metrics: out of memory");
	}
	catch_faults();
	look(true);
}

static void look_and_unlock(void)
{
	look(false);
	int64_t wait_ms = here.makes && here.number == 0 ? MAKE_AGAIN_MS : LOOK_MS;
	atomic_store_explicit(&here.look_ms, clock_ms() + wait_ms, memory_order_relaxed);
	pthread_mutex_unlock(&here.mutex);
}

void metrics_tend_now(void)
{
	if (here.memory && pthread_mutex_lock(&here.mutex) == 0)
		look_and_unlock();
}

void metrics_tend(void)
{
	bool is_due = here.memory &&
		      (clock_ms() >= atomic_load(&here.look_ms) || atomic_load(&here.is_lost) ||
		       atomic_load(&here.memory->version) == 0);
	if (is_due && pthread_mutex_trylock(&here.mutex) == 0)
		look_and_unlock();
}

struct metrics_memory *metrics_memory(void)
{
	return here.memory;
}

/* Returns the cell of the key, and adds it if the key is new. Returns NULL if there is no room. */
static _Atomic int64_t *find_cell(uint64_t key)
{
	enum { PROBES = 64 };
	/* The highest bits of the product depend on all bits of the key. */
	size_t at = (size_t)((key * 0x9E3779B97F4A7C15U) >> (64 - METRICS_CELLS_BITS));
	for (size_t i = 0; i < PROBES; i++, at = (at + 1) % METRICS_CELLS) {
		struct metrics_cell *cell = &here.memory->cells[at];
		uint64_t found = atomic_load_explicit(&cell->key, memory_order_relaxed);
		/* If the exchange fails, `found` is the key that another process has just added. */
		if (found == key ||
		    (found == 0 &&
		     (atomic_compare_exchange_strong(&cell->key, &found, key) || found == key)))
			return &cell->value;
	}
	atomic_fetch_add_explicit(&here.memory->dropped, 1, memory_order_relaxed);
	return NULL;
}

static void add(uint64_t key, int64_t number)
{
	_Atomic int64_t *cell = find_cell(key);
	if (cell)
		atomic_fetch_add_explicit(cell, number, memory_order_relaxed);
}

static void set(uint64_t key, int64_t value)
{
	_Atomic int64_t *cell = find_cell(key);
	if (cell)
		atomic_store_explicit(cell, value, memory_order_relaxed);
}

void metrics_add(enum metric metric, struct metric_labels labels, uint64_t number)
{
	if (here.memory)
		add(metrics_key(metric, labels, METRICS_VALUE), (int64_t)number);
}

void metrics_observe(enum metric metric, struct metric_labels labels, int64_t us)
{
	unsigned bucket = 0;
	if (!here.memory)
		return;
	us = us < 0 ? 0 : us;
	while (bucket < METRICS_BUCKETS && us > metrics_buckets[bucket].us)
		bucket++;
	add(metrics_key(metric, labels, bucket), 1);
	add(metrics_key(metric, labels, METRICS_SUM), us);
}

void metrics_set(enum metric metric, struct metric_labels labels, int64_t value)
{
	if (!here.memory)
		return;
	set(metrics_key(metric, labels, METRICS_VALUE), value);
	if (metrics_rows[metric].is_fresh_only)
		set(metrics_key(metric, labels, METRICS_SET_AT), clock_ms());
}
