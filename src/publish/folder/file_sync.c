#include "publish/folder/file_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The kernel's queues for asynchronous I/O, shared by all threads. Destroying a queue takes
 * milliseconds, so queues are kept. glibc's aio_fsync() is no alternative, because it starts a
 * thread for each file.
 */
enum { QUEUES_MAX = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static aio_context_t queues[QUEUES_MAX];
static size_t queue_count;
static atomic_bool has_queues;

void file_sync_at_once(void)
{
	has_queues = true;
}

/* Takes a kept queue, or creates a queue. Returns false if the kernel refuses to create one. */
static bool take_queue(aio_context_t *queue)
{
	*queue = 0;
	pthread_mutex_lock(&lock);
	bool is_taken = queue_count > 0;
	if (is_taken)
		*queue = queues[--queue_count];
	pthread_mutex_unlock(&lock);
	return is_taken || syscall(SYS_io_setup, (unsigned)FILE_SYNC_MAX, queue) == 0;
}

static void give_queue(aio_context_t queue)
{
	pthread_mutex_lock(&lock);
	bool is_kept = queue_count < QUEUES_MAX;
	if (is_kept)
		queues[queue_count++] = queue;
	pthread_mutex_unlock(&lock);
	if (!is_kept)
		syscall(SYS_io_destroy, queue);
}

/*
 * Waits for the syncs of `count` files. event.data points to the outcome of the file. Returns false
 * if the kernel does not report how the syncs ended. The outcomes then stay EIO: a second sync must
 * not follow, because the kernel reports an error only once.
 */
static bool await_files(aio_context_t queue, size_t count)
{
	struct io_event events[FILE_SYNC_MAX];
	while (count > 0) {
		long done =
			syscall(SYS_io_getevents, queue, (long)count, (long)count, events, NULL);
		if (done < 0 && errno != EINTR)
			return false;
		for (long i = 0; i < done; i++)
			*(int *)(uintptr_t)events[i].data = (int)-events[i].res;
		count -= done > 0 ? (size_t)done : 0;
	}
	return true;
}

/* Syncs the first files together, as many as the kernel accepts. Returns their number. */
static size_t sync_at_once(const int *fds, int *outcomes, size_t count)
{
	struct iocb blocks[FILE_SYNC_MAX] = { 0 }, *files[FILE_SYNC_MAX];
	aio_context_t queue;
	if (!has_queues || count < 2 || !take_queue(&queue))
		return 0;
	for (size_t i = 0; i < count; i++) {
		blocks[i].aio_lio_opcode = IOCB_CMD_FDSYNC;
		blocks[i].aio_fildes = (uint32_t)fds[i];
		blocks[i].aio_data = (uintptr_t)&outcomes[i];
		files[i] = &blocks[i];
		outcomes[i] = EIO;
	}
	long taken = syscall(SYS_io_submit, queue, (long)count, files);
	if (taken < 0) {
		/* Either the first file cannot be synced, or the queue belongs to the parent
		 * process. */
		syscall(SYS_io_destroy, queue);
		return 0;
	}
	if (await_files(queue, (size_t)taken)) {
		give_queue(queue);
	} else {
		has_queues = false;
		syscall(SYS_io_destroy, queue);
	}
	return (size_t)taken;
}

/* Syncs the files one after another. First asks the kernel to begin writing all of them, so that
 * the waits overlap. */
static void sync_in_turn(const int *fds, int *outcomes, size_t count)
{
	for (size_t i = 0; count > 1 && i < count; i++)
		(void)sync_file_range(fds[i], 0, 0, SYNC_FILE_RANGE_WRITE);
	for (size_t i = 0; i < count; i++)
		outcomes[i] = fdatasync(fds[i]) == 0 ? 0 : errno;
}

void file_sync_all(const int *fds, int *outcomes, size_t count)
{
	size_t done = sync_at_once(fds, outcomes, count);
	sync_in_turn(fds + done, outcomes + done, count - done);
}
