#include "unit/lib/unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEMPLATE "/tmp/daymark-unit-XXXXXX"

char test_folder[] = TEMPLATE;
int test_folder_fd = -1;

int folder_start(void **state)
{
	strcpy(test_folder, TEMPLATE);
	test_folder_fd =
		mkdtemp(test_folder) ? open(test_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	return test_folder_fd < 0 || arena_start(state) != 0;
}

static int remove_one(const char *name, const struct stat *status, int kind, struct FTW *ftw)
{
	(void)status;
	(void)kind;
	(void)ftw;
	return remove(name);
}

void folder_remove(void)
{
	assert_int_equal(0, nftw(test_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS));
}

int folder_end(void **state)
{
	close(test_folder_fd);
	folder_remove();
	return arena_end(state);
}

void folder_write_text(const char *path, const char *text)
{
	int fd = openat(test_folder_fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(strlen(text), write(fd, text, strlen(text)));
	close(fd);
}
