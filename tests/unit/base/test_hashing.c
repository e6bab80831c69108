/* The number of simultaneous hashes, by threads and by processes. */
#include "unit/lib/unit.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hashing.h"

/* Takes turns until there are none left, releases them, and returns their number. */
static int turns_of(const struct hashing_limits *limits, int in_fd)
{
	enum { MORE_THAN_THERE_ARE = 64 };
	struct hashing turns[MORE_THAN_THERE_ARE];
	int count = 0;
	while (count < MORE_THAN_THERE_ARE && hashing_begin(&turns[count], limits, in_fd, "turns"))
		count++;
	for (int i = 0; i < count; i++)
		hashing_end(&turns[i]);
	return count;
}

static void half_of_the_threads_and_at_least_one(void **state)
{
	(void)state;
	static const int rows[][2] = {
		{ 1, 1 }, { 2, 1 }, { 3, 1 }, { 4, 2 }, { 5, 2 }, { 16, 8 }
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct hashing_limits limits = { rows[i][0], 2, 0, 0 };
		assert_int_equal(rows[i][1], turns_of(&limits, test_folder_fd));
		assert_int_equal(rows[i][1], turns_of(&limits, test_folder_fd));
		/* Without a lock file the limit of the process still holds. */
		assert_int_equal(rows[i][1], turns_of(&limits, -1));
	}
}

/* Many processes with one thread each, which is plain CGI. */
static void processes_share_the_turns_of_the_machine(void **state)
{
	(void)state;
	enum { PROCESSES = 9 };
	static const struct hashing_limits limits = { 4, 2, 0, 0 };
	int tried[2], gone[2], statuses[2] = { 0 };
	assert_int_equal(0, pipe(tried));
	assert_int_equal(0, pipe(gone));
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() != 0)
			continue;
		struct hashing turn;
		char is_given = hashing_begin(&turn, &limits, test_folder_fd, "turns");
		close(gone[1]);
		if (write(tried[1], &is_given, 1) != 1)
			_exit(2);
		/* Each process holds its turn until all have tried. */
		char end;
		_exit(read(gone[0], &end, 1) == 0 && is_given);
	}
	for (int i = 0; i < PROCESSES; i++) {
		char is_given;
		assert_int_equal(1, read(tried[0], &is_given, 1));
	}
	struct hashing turn;
	assert_false(hashing_begin(&turn, &limits, test_folder_fd, "turns"));
	close(gone[1]);
	int status;
	while (wait(&status) > 0) {
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		statuses[WEXITSTATUS(status)]++;
	}
	assert_int_equal(4, statuses[1]);
	assert_int_equal(PROCESSES - 4, statuses[0]);
	/* The turns of processes that have ended are free. */
	assert_int_equal(2, turns_of(&limits, test_folder_fd));
	close(gone[0]);
	close(tried[0]);
	close(tried[1]);
}

struct waiting {
	pthread_t thread;
	struct hashing_limits limits;
	sem_t *ended;
	bool outcome; /* whether the thread had a turn */
};

static void *wait_for_turn(void *argument)
{
	struct waiting *waiting = argument;
	struct hashing turn;
	bool is_given = hashing_begin(&turn, &waiting->limits, test_folder_fd, "turns");
	if (is_given)
		hashing_end(&turn);
	waiting->outcome = is_given;
	sem_post(waiting->ended);
	return NULL;
}

static void a_thread_waits_for_its_turn_and_one_is_left_over(void **state)
{
	(void)state;
	static const struct hashing_limits at_once = { 4, 1, 0, 0 }, patient = { 4, 1, 60000, 0 };
	sem_t ended;
	struct waiting waiting[2] = { { .ended = &ended, .limits = patient },
				      { .ended = &ended, .limits = patient } };
	struct hashing first, second;
	sem_init(&ended, 0, 0);
	assert_true(hashing_begin(&first, &at_once, test_folder_fd, "turns"));
	assert_true(hashing_begin(&second, &at_once, test_folder_fd, "turns"));
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			0, pthread_create(&waiting[i].thread, NULL, wait_for_turn, &waiting[i]));
	/* Two of four threads hash and a third waits: the fourth is refused at once. */
	sem_wait(&ended);
	hashing_end(&first);
	sem_wait(&ended);
	for (int i = 0; i < 2; i++)
		pthread_join(waiting[i].thread, NULL);
	assert_int_equal(1, waiting[0].outcome + waiting[1].outcome);
	hashing_end(&second);
	assert_int_equal(2, turns_of(&at_once, test_folder_fd));
	sem_destroy(&ended);
}

static void the_last_thread_waits_a_few_times_only(void **state)
{
	(void)state;
	enum { TIMES = 3, MORE = 8 };
	static const struct hashing_limits at_once = { 2, 1, 0, 0 },
					   patient = { 2, 1, 60000, TIMES };
	struct waiting waiting[MORE];
	struct hashing turn;
	sem_t ended;
	sem_init(&ended, 0, 0);
	assert_true(hashing_begin(&turn, &at_once, test_folder_fd, "turns"));
	for (int i = 0; i < MORE; i++) {
		waiting[i] = (struct waiting){ .ended = &ended, .limits = patient };
		assert_int_equal(
			0, pthread_create(&waiting[i].thread, NULL, wait_for_turn, &waiting[i]));
	}
	for (int i = 0; i < MORE - TIMES; i++)
		sem_wait(&ended);
	hashing_end(&turn);
	int given = 0;
	for (int i = 0; i < MORE; i++) {
		pthread_join(waiting[i].thread, NULL);
		given += waiting[i].outcome;
	}
	assert_int_equal(TIMES, given);
	sem_destroy(&ended);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_of_the_threads_and_at_least_one),
		cmocka_unit_test(processes_share_the_turns_of_the_machine),
		cmocka_unit_test(a_thread_waits_for_its_turn_and_one_is_left_over),
		cmocka_unit_test(the_last_thread_waits_a_few_times_only),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
