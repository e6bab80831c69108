/* The supervisor with a table of the test's own: roles are rows, and nothing else. */
#include "unit/lib/unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "supervisor.h"

/* What processes tell: a small letter when they start, and a capital one when they end. */
struct word {
	pid_t pid;
	char letter;
};

static int words[2];
static bool is_reloaded; /* in the supervisor's process, and in what it starts */

static void tell(char letter)
{
	const struct word word = { getpid(), letter };
	if (write(words[1], &word, sizeof(word)) != sizeof(word))
		_exit(1);
}

static void serve(char letter, bool is_worn_out)
{
	sigset_t signals;
	int number;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	tell(letter);
	if (is_worn_out)
		supervisor_replace_me();
	sigwait(&signals, &number);
	tell((char)(letter - 'a' + 'A'));
}

static void serve_a(const void *context)
{
	(void)context;
	serve('a', false);
}

static void serve_b(const void *context)
{
	(void)context;
	serve('b', false);
}

static void serve_d(const void *context)
{
	(void)context;
	serve('d', true);
}

static long two_then_one(const void *context)
{
	(void)context;
	return is_reloaded ? 1 : 2;
}

static long one_then_none(const void *context)
{
	(void)context;
	return !is_reloaded;
}

static long none(const void *context)
{
	(void)context;
	return 0;
}

static long one(const void *context)
{
	(void)context;
	return 1;
}

static void begin(const void *context, const struct process_role *role)
{
	(void)context;
	assert_non_null(role->name);
}

static bool reload(void *context)
{
	(void)context;
	is_reloaded = true;
	return true;
}

static const struct process_role plain[] = {
	{ .name = "first", .count = two_then_one, .run = serve_a, .leave_ms = 60000 },
	{ .name = "second", .count = one_then_none, .run = serve_b, .leave_ms = 60000 },
	{ .name = "off", .count = none, .run = serve_a, .leave_ms = 60000 },
};

static const struct process_role worn[] = {
	{ .name = "worn", .count = one, .run = serve_d, .leave_ms = 60000, .wears_out = true },
};

static pid_t start(const struct process_role *roles, size_t count)
{
	const struct supervisor supervisor = { roles, count, begin, reload, NULL };
	assert_int_equal(0, pipe(words));
	pid_t pid = fork();
	if (pid == 0)
		_exit(supervisor_run(&supervisor));
	close(words[1]);
	return pid;
}

static struct word next_word(void)
{
	struct word word = { 0 };
	assert_true(read(words[0], &word, sizeof(word)) >= 0);
	return word;
}

/* The next letters, sorted. */
static const char *next_letters(size_t count)
{
	static char letters[16];
	memset(letters, 0, sizeof(letters));
	for (size_t i = 0; i < count; i++) {
		size_t at = i;
		char letter = next_word().letter;
		for (; at > 0 && letters[at - 1] > letter; at--)
			letters[at] = letters[at - 1];
		letters[at] = letter;
	}
	return letters;
}

static void end(pid_t supervisor)
{
	int status;
	assert_int_equal(0, next_word().letter);
	assert_int_equal(supervisor, waitpid(supervisor, &status, 0));
	assert_int_equal(0, status);
	close(words[0]);
}

static void roles_end_in_the_order_of_the_table(void **state)
{
	(void)state;
	pid_t supervisor = start(plain, ARRAY_LEN(plain));
	assert_string_equal("aab", next_letters(3));
	kill(supervisor, SIGTERM);
	for (const char *letter = "AAB"; *letter; letter++)
		assert_int_equal(*letter, next_word().letter);
	end(supervisor);
}

static void a_reload_asks_each_role_again(void **state)
{
	(void)state;
	pid_t supervisor = start(plain, ARRAY_LEN(plain));
	assert_string_equal("aab", next_letters(3));
	kill(supervisor, SIGHUP);
	assert_string_equal("AABa", next_letters(4));
	kill(supervisor, SIGTERM);
	assert_string_equal("A", next_letters(1));
	end(supervisor);
}

static void a_child_that_dies_is_replaced(void **state)
{
	(void)state;
	pid_t supervisor = start(plain, ARRAY_LEN(plain));
	struct word word = next_word();
	next_letters(2);
	kill(word.pid, SIGKILL);
	assert_int_equal(word.letter, next_word().letter);
	kill(supervisor, SIGTERM);
	assert_string_equal("AAB", next_letters(3));
	end(supervisor);
}

static void a_child_that_is_worn_out_has_a_successor(void **state)
{
	(void)state;
	int told[2] = { 0 };
	pid_t supervisor = start(worn, ARRAY_LEN(worn));
	/* Each asks at once for its own replacement: three have left. */
	while (told[1] < 3)
		told[next_word().letter == 'D']++;
	assert_true(told[0] >= 3);
	kill(supervisor, SIGTERM);
	while (next_word().letter)
		continue;
	end(supervisor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roles_end_in_the_order_of_the_table),
		cmocka_unit_test(a_reload_asks_each_role_again),
		cmocka_unit_test(a_child_that_dies_is_replaced),
		cmocka_unit_test(a_child_that_is_worn_out_has_a_successor),
	};
	log_to_fd(-1);
	return RUN(tests);
}
