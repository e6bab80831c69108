/* Reading the pages folder for visitors, with openat2() and without it. */
#include "unit/lib/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/page/pages_batch.h"
#include "publish/page/pages_reader.h"

static struct pages_dir dir;
static struct pages_reader reader;
static struct error error;

static int start(void **state)
{
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK &&
			       pages_reader_open(&reader, test_folder, &error) == OK
		       ? 0
		       : -1;
}

static int end(void **state)
{
	pages_reader_close(&reader);
	pages_dir_close(&dir);
	return folder_end(state);
}

static const char *content(enum pages_place place, const char *folder, const char *name)
{
	const char *text;
	assert_int_equal(OK, pages_reader_text(&reader, place, folder, name, 1 << 10, &arena, &text,
					       &error));
	return text;
}

static void put(enum pages_place place, const char *folder, const char *text)
{
	assert_int_equal(
		OK, pages_dir_put(&dir, place, folder, "a.html", str_from(text), &arena, &error));
}

static void files_of_each_place_are_found(void **state)
{
	(void)state;
	for (int place = 0; place < PAGES_PLACES; place++)
		put((enum pages_place)place, "one", arena_printf(&arena, "place %d", place));
	for (int place = 0; place < PAGES_PLACES; place++)
		assert_string_equal(arena_printf(&arena, "place %d", place),
				    content((enum pages_place)place, "one", "a.html"));
}

static void names_that_lead_elsewhere_do_not_exist(void **state)
{
	static const char *const folders[] = { "",     ".",    "..",  "../private/one",
					       "one/", "/one", ".one" };
	static const char *const names[] = {
		"", ".", "..", "../one/a.html", "../../../secret", ".a.html", "/etc/passwd"
	};
	(void)state;
	put(PAGES_PUBLIC, "one", "text");
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		assert_null(content(PAGES_PUBLIC, folders[i], "a.html"));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_null(content(PAGES_PUBLIC, "one", names[i]));
	char *long_name = arena_alloc(&arena, 5001);
	memset(long_name, 'x', 5000);
	assert_null(content(PAGES_PUBLIC, long_name, "a.html"));
	assert_null(content(PAGES_PUBLIC, "one", long_name));
	assert_null(content(PAGES_PUBLIC, "one", long_name + 4700));
}

static void links_are_not_followed(void **state)
{
	(void)state;
	put(PAGES_PRIVATE, "hidden", "text");
	assert_string_equal("text", content(PAGES_PRIVATE, "hidden", "a.html"));
	assert_int_equal(0, symlinkat("../../private/hidden", dir.place_fds[PAGES_PUBLIC], "link"));
	assert_null(content(PAGES_PUBLIC, "link", "a.html"));
	put(PAGES_PUBLIC, "two", "text");
	int folder_fd CLEANUP(close_fd) =
		openat(dir.place_fds[PAGES_PUBLIC], "two", O_RDONLY | O_DIRECTORY);
	assert_int_equal(0, symlinkat("a.html", folder_fd, "b.html"));
	assert_string_equal("text", content(PAGES_PUBLIC, "two", "a.html"));
	assert_null(content(PAGES_PUBLIC, "two", "b.html"));
	assert_int_equal(0, unlinkat(dir.place_fds[PAGES_PUBLIC], "link", 0));
	assert_int_equal(0, unlinkat(folder_fd, "b.html", 0));
	/* A place that is a link. */
	assert_int_equal(0, renameat(dir.root_fd, "noindex", dir.root_fd, "moved"));
	assert_int_equal(0, symlinkat("public", dir.root_fd, "noindex"));
	assert_null(content(PAGES_NOINDEX, "two", "a.html"));
	assert_int_equal(0, unlinkat(dir.root_fd, "noindex", 0));
	assert_int_equal(0, renameat(dir.root_fd, "moved", dir.root_fd, "noindex"));
}

static void a_larger_file_and_a_folder_have_no_text(void **state)
{
	char text[1026];
	(void)state;
	memset(text, 'x', sizeof(text));
	text[1025] = '\0';
	put(PAGES_PUBLIC, "large", text);
	assert_null(content(PAGES_PUBLIC, "large", "a.html"));
	put(PAGES_PUBLIC, "large", text + 1);
	assert_string_equal(text + 1, content(PAGES_PUBLIC, "large", "a.html"));
	int folder_fd CLEANUP(close_fd) =
		openat(dir.place_fds[PAGES_PUBLIC], "large", O_RDONLY | O_DIRECTORY);
	assert_int_equal(0, mkdirat(folder_fd, "b.html", 0755));
	assert_null(content(PAGES_PUBLIC, "large", "b.html"));
	assert_int_equal(0, unlinkat(folder_fd, "b.html", AT_REMOVEDIR));
}

static void a_missing_folder_has_no_files_and_a_file_is_none(void **state)
{
	struct pages_reader other CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	int fd = 0;
	(void)state;
	assert_int_equal(OK, pages_reader_open(&other, "/no/such/folder", &error));
	assert_int_equal(OK, pages_reader_find(&other, PAGES_PUBLIC, "one", "a.html", &fd, &error));
	assert_int_equal(-1, fd);
	pages_reader_close(&other);
	assert_int_equal(E_UNAVAILABLE, pages_reader_open(&other, "/etc/passwd", &error));
}

/* Refuses openat2() as a filter does that does not know the call. */
static void refuse_openat2(int reason)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)reason),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_LEN(rules), rules };
	assert_int_equal(0, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	assert_int_equal(0, prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	assert_int_equal(-1, syscall(SYS_openat2, -1, "", NULL, 0));
	assert_int_equal(reason, errno);
}

static void without_openat2_all_is_the_same(void **state)
{
	static const int reasons[] = { ENOSYS, EPERM };
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
		int status;
		pid_t pid = fork();
		if (pid == 0) {
			refuse_openat2(reasons[i]);
			files_of_each_place_are_found(state);
			names_that_lead_elsewhere_do_not_exist(state);
			a_larger_file_and_a_folder_have_no_text(state);
			links_are_not_followed(state);
			_exit(0);
		}
		assert_int_equal(pid, waitpid(pid, &status, 0));
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_each_place_are_found),
		cmocka_unit_test(names_that_lead_elsewhere_do_not_exist),
		cmocka_unit_test(links_are_not_followed),
		cmocka_unit_test(a_larger_file_and_a_folder_have_no_text),
		cmocka_unit_test(a_missing_folder_has_no_files_and_a_file_is_none),
		cmocka_unit_test(without_openat2_all_is_the_same),
	};
	return cmocka_run_group_tests(tests, start, end);
}
