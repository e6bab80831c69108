#include "mirror/push/pushers.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/loop_job.h"

/* A pusher and its job in the loop. */
struct lane {
	struct pushers *pushers;
	struct pusher pusher; /* while the job runs, only the job uses the pusher */
	struct loop_job job;
	struct loop_timer next; /* starts the next turn */
	bool is_more;		/* at the end of the last turn, more could be sent at once */
	bool is_leaving;	/* pushers_stop() was called before the turn began */
};

struct pushers {
	struct loop *loop;
	struct lane *lanes;
	size_t count;
	size_t unfinished; /* pushers that still work after pushers_stop() */
	bool is_leaving;
	int64_t until_ms;
};

static void run_turn(void *context)
{
	struct lane *lane = context;
	struct error error = { 0 };
	if (pusher_turn(&lane->pusher, &lane->is_more, &error) != OK)
		lane->is_more = false;
}

static void start_turn(void *context)
{
	struct lane *lane = context;
	lane->is_leaving = lane->pushers->is_leaving;
	loop_timer_cancel(lane->pushers->loop, &lane->next);
	loop_job_start(&lane->job);
}

/* Starts the pusher's next turn, or sets the timer for it. After pushers_stop(), the pusher only
 * sends the waiting pages, and then ends. */
static void end_turn(void *context)
{
	struct lane *lane = context;
	struct pushers *pushers = lane->pushers;
	bool is_late = pushers->is_leaving && clock_ms() >= pushers->until_ms;
	if (lane->is_leaving && (!lane->is_more || is_late)) {
		if (--pushers->unfinished == 0)
			loop_stop(pushers->loop);
	} else if (lane->is_more || pushers->is_leaving) {
		start_turn(lane);
	} else {
		/* If the pusher is not open, another process has locked the mirror, or there is no
		 * pages folder. */
		bool is_open = lane->pusher.folder_fd >= 0;
		loop_timer_set(pushers->loop, &lane->next,
			       clock_ms() + (is_open ? PUSHER_POLL_MS : PUSHER_RETRY_MS));
	}
}

/* Raises the limit of open files: a page may have many files, which are open while they are
 * sent. */
static void raise_file_limit(void)
{
	enum { FILES_WANTED = 8192 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES_WANTED)
		return;
	limit.rlim_cur = limit.rlim_max < FILES_WANTED ? limit.rlim_max : FILES_WANTED;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static bool open_lane(struct pushers *pushers, struct lane *lane)
{
	lane->pushers = pushers;
	lane->job = (struct loop_job){ .run = run_turn, .call = end_turn, .context = lane };
	lane->next = (struct loop_timer){ .call = start_turn, .context = lane };
	loop_timer_set(pushers->loop, &lane->next, 0);
	return loop_job_open(pushers->loop, &lane->job);
}

/* Closes the pushers that have ended. Frees the memory only if all pushers have ended. */
static void close_all(struct pushers *pushers)
{
	bool is_closed = true;
	for (size_t i = 0; i < pushers->count; i++) {
		struct lane *lane = &pushers->lanes[i];
		loop_timer_cancel(pushers->loop, &lane->next);
		if (loop_job_close(&lane->job))
			pusher_done(&lane->pusher);
		else
			is_closed = false;
	}
	if (!is_closed)
		return;
	free(pushers->lanes);
	free(pushers);
}

struct pushers *pushers_start(struct loop *loop, const struct config *config,
			      const struct mirrors *mirrors, const struct pusher_observer *observer)
{
	struct pushers *pushers = mirrors->count > 0 ? calloc(1, sizeof(*pushers)) : NULL;
	if (!pushers)
		return NULL;
	raise_file_limit();
	*pushers = (struct pushers){ .loop = loop,
				     .lanes = calloc(mirrors->count, sizeof(*pushers->lanes)) };
	bool is_started = pushers->lanes != NULL;
	for (; is_started && pushers->count < mirrors->count; pushers->count++) {
		struct lane *lane = &pushers->lanes[pushers->count];
		pusher_init(&lane->pusher, config, &mirrors->rows[pushers->count]);
		lane->pusher.observer = *observer;
		is_started = open_lane(pushers, lane);
	}
	if (is_started)
		return pushers;
	close_all(pushers);
	return NULL;
}

void pushers_stop(struct pushers *pushers, int64_t ms)
{
	enum { GRACE_MS = 500 };
	if (!pushers)
		return;
	pushers->is_leaving = true;
	pushers->unfinished = pushers->count;
	pushers->until_ms = clock_ms() + ms;
	for (size_t i = 0; i < pushers->count; i++)
		if (!pushers->lanes[i].job.is_running)
			start_turn(&pushers->lanes[i]);
	loop_run_until(pushers->loop, pushers->until_ms + GRACE_MS);
	close_all(pushers);
}
