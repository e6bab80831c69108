/*
 * The least that a publisher does on the disk: writes files under temporary names, syncs them
 * together, and renames them. Prints the median time of a round in milliseconds.
 *
 * files ROUNDS FOLDER FILE...: files with the content of each FILE are made in the FOLDER.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FILES_MAX = 64, CONTENT_MAX = 1 << 20, ROUNDS_MAX = 10000 };

struct file {
	char *content;
	size_t len;
	int fd;
	char temporary[32], final[32];
};

static void stop(const char *what)
{
	perror(what);
	exit(1);
}

static void read_file(struct file *file, const char *path, int number)
{
	FILE *in = fopen(path, "rb");
	file->content = malloc(CONTENT_MAX);
	if (!in || !file->content)
		stop(path);
	file->len = fread(file->content, 1, CONTENT_MAX, in);
	fclose(in);
	snprintf(file->temporary, sizeof(file->temporary), "new-%d", number);
	snprintf(file->final, sizeof(file->final), "file-%d", number);
}

static void write_file(int folder, struct file *file)
{
	file->fd = openat(folder, file->temporary, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (file->fd < 0 || write(file->fd, file->content, file->len) != (ssize_t)file->len ||
	    sync_file_range(file->fd, 0, 0, SYNC_FILE_RANGE_WRITE))
		stop(file->temporary);
}

static void sync_files(aio_context_t queue, const struct file *files, int count)
{
	struct iocb blocks[FILES_MAX] = { 0 }, *pointers[FILES_MAX];
	struct io_event events[FILES_MAX];
	for (int i = 0; i < count; i++) {
		blocks[i].aio_lio_opcode = IOCB_CMD_FDSYNC;
		blocks[i].aio_fildes = (uint32_t)files[i].fd;
		pointers[i] = &blocks[i];
	}
	if (syscall(SYS_io_submit, queue, (long)count, pointers) != count ||
	    syscall(SYS_io_getevents, queue, (long)count, (long)count, events, NULL) != count)
		stop("sync");
}

static double now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double round_ms(int folder, aio_context_t queue, struct file *files, int count)
{
	double began = now_ms();
	for (int i = 0; i < count; i++)
		write_file(folder, &files[i]);
	sync_files(queue, files, count);
	for (int i = 0; i < count; i++) {
		close(files[i].fd);
		if (renameat(folder, files[i].temporary, folder, files[i].final))
			stop(files[i].final);
	}
	return now_ms() - began;
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
	static struct file files[FILES_MAX];
	static double times[ROUNDS_MAX];
	int count = argc - 3, rounds = argc > 3 ? atoi(argv[1]) : 0;
	if (count < 1 || count > FILES_MAX || rounds < 1 || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: files ROUNDS FOLDER FILE...\n");
		return 2;
	}
	aio_context_t queue = 0;
	int folder = open(argv[2], O_RDONLY | O_DIRECTORY);
	if (folder < 0 || syscall(SYS_io_setup, FILES_MAX, &queue))
		stop(argv[2]);
	for (int i = 0; i < count; i++)
		read_file(&files[i], argv[i + 3], i);
	for (int i = 0; i < rounds; i++)
		times[i] = round_ms(folder, queue, files, count);
	qsort(times, (size_t)rounds, sizeof(times[0]), by_value);
	printf("%.2f\n", times[rounds / 2]);
	return 0;
}
