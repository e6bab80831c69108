#include "unit/check/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

#include "base/log.h"

/* wrapped: clock_gettime time epoll_wait */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_epoll_wait(int fd, struct epoll_event *events, int count, int timeout_ms);

time_t __wrap_time(time_t *now);

struct world world;

static int64_t passed_us, set_s;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	int64_t us = passed_us;
	if (clock == CLOCK_REALTIME)
		us += (WORLD_START_S + set_s) * INT64_C(1000000);
	else
		us += INT64_C(1000) * 1000000;
	now->tv_sec = us / 1000000;
	now->tv_nsec = us % 1000000 * 1000;
	return 0;
}

time_t __wrap_time(time_t *now)
{
	time_t s = (time_t)(WORLD_START_S + set_s + passed_us / 1000000);
	if (now)
		*now = s;
	return s;
}

/* Nothing comes from outside: the loop would sleep until its next timer. */
int __wrap_epoll_wait(int fd, struct epoll_event *events, int count, int timeout_ms)
{
	(void)fd;
	(void)events;
	(void)count;
	assert_true(timeout_ms >= 0);
	passed_us += timeout_ms * 1000;
	return 0;
}

int64_t world_ms(void)
{
	return passed_us / 1000;
}

void world_set_clock(int64_t by_s)
{
	set_s += by_s;
}

/* The prober. */

enum result prober_open(struct prober **prober, struct loop *loop,
			const struct prober_settings *settings, struct error *error)
{
	static int one;
	(void)loop;
	(void)settings;
	(void)error;
	*prober = (struct prober *)(void *)&one;
	return OK;
}

void prober_close(struct prober *prober)
{
	(void)prober;
	assert_int_equal(0, world.running);
}

static void end_probe(void *context)
{
	struct probe *probe = context;
	world.running--;
	probe->call(probe->context, &probe->result);
}

void probe_start(struct prober *prober, struct probe *probe)
{
	struct ending ending = world.rule(probe->settings);
	(void)prober;
	world.started++;
	world.running++;
	if (world.running > world.running_most)
		world.running_most = world.running;
	if (world.starts)
		world.starts(probe);
	probe->result = (struct probe_result){ .is_up = ending.is_up,
					       .is_void = ending.is_void,
					       .response_ms = ending.ms,
					       .tls_expires_at = ending.tls_expires_at,
					       .tls_is_over = ending.tls_is_over };
	if (!ending.is_up)
		snprintf(probe->result.cause, sizeof(probe->result.cause), "refused");
	probe->timer = (struct loop_timer){ .call = end_probe, .context = probe };
	loop_timer_set(&world.loop, &probe->timer, clock_ms() + ending.ms);
}

void probe_cancel(struct probe *probe)
{
	loop_timer_cancel(&world.loop, &probe->timer);
	world.running--;
	world.cancelled++;
}

/* The recorder. */

static void tell(const char *format, ...) PRINTF_LIKE(1, 2);
static void tell(const char *format, ...)
{
	size_t len = strlen(world.told);
	va_list args;
	va_start(args, format);
	if (len > 0 && len + 1 < sizeof(world.told))
		world.told[len++] = ' ';
	vsnprintf(world.told + len, sizeof(world.told) - len, format, args);
	va_end(args);
}

const char *world_told(void)
{
	static char told[sizeof(world.told)];
	memcpy(told, world.told, sizeof(told));
	world.told[0] = '\0';
	return told;
}

static long long since_start(struct instant at)
{
	return at.s - WORLD_START_S;
}

enum result recorder_open(struct recorder **recorder, struct loop *loop,
			  const struct config *config, const struct site *site,
			  const struct recorder_observer *observer, struct error *error)
{
	static int one;
	(void)loop;
	(void)config;
	(void)site;
	(void)error;
	*recorder = (struct recorder *)(void *)&one;
	world.observer = *observer;
	return OK;
}

bool recorder_close(struct recorder *recorder, int64_t most_ms)
{
	(void)recorder;
	(void)most_ms;
	return true;
}

struct instant recorder_now(const struct recorder *recorder)
{
	(void)recorder;
	return clock_now();
}

int64_t recorder_rest_s(const struct recorder *recorder)
{
	(void)recorder;
	return world.rest_s;
}

void recorder_record(struct recorder *recorder, const struct check_record *record)
{
	(void)recorder;
	assert_true(record->hour.hour.s <= clock_now().s);
	world.records++;
	world.record = *record;
}

void recorder_report(struct recorder *recorder, int64_t monitor_id, enum check_report report,
		     const struct check_state *state)
{
	(void)recorder;
	struct instant at = report == CHECK_REPORT_UP ? state->well_since : state->failing_since;
	tell("%c%lld@%lld", " DSU"[report], (long long)monitor_id, since_start(at));
}

void recorder_gap(struct recorder *recorder, const int64_t *monitor_ids, size_t count,
		  struct instant from, struct instant until)
{
	(void)recorder;
	for (size_t i = 0; i < count; i++)
		tell("%s%lld@%lld", from.s != 0 ? "gap" : "known", (long long)monitor_ids[i],
		     since_start(from.s != 0 ? from : until));
}

void recorder_domain(struct recorder *recorder, const char *domain, bool was_asked,
		     struct instant date)
{
	(void)recorder;
	assert_int_equal(0, date.s);
	tell("%s:%s@%lld", was_asked ? "asked" : "skipped", domain, since_start(clock_now()));
}

void recorder_cut_off(struct recorder *recorder, struct instant since)
{
	(void)recorder;
	if (since.s != 0)
		tell("cut@%lld", since_start(since));
	else
		tell("connected");
}

/* The test. */

static struct ending always_up(const struct check_settings *settings)
{
	(void)settings;
	return (struct ending){ .is_up = true, .ms = 20 };
}

int world_begin(void **state)
{
	(void)state;
	world = (struct world){ .rule = always_up, .status = -1 };
	world.config.check_concurrency = 4000;
	world.config.rdap_bootstrap = CONFIG_RDAP_BOOTSTRAP;
	passed_us = set_s = 0;
	log_to_fd(-1);
	return loop_open(&world.loop) ? 0 : -1;
}

int world_end(void **state)
{
	(void)state;
	if (world.checker)
		assert_true(checker_close(world.checker, 0));
	return loop_close(&world.loop) ? 0 : -1;
}

static void note_status(void *context, int status)
{
	(void)context;
	world.status = status;
	loop_stop(&world.loop);
}

void world_open(bool is_once)
{
	struct error error = { 0 };
	const struct checker_settings settings = { .config = &world.config,
						   .is_once = is_once,
						   .done = note_status };
	if (checker_open(&world.checker, &world.loop, &settings, &error) != OK)
		fail_msg("%s", error_text(&error));
	world.observer.lease(world.observer.context, true);
	world.observer.domains(world.observer.context, NULL, 0);
	world.told[0] = '\0';
}

static void stop(void *context)
{
	loop_stop(context);
}

void world_pass(int64_t ms)
{
	struct loop_timer end = { .call = stop, .context = &world.loop };
	loop_timer_set(&world.loop, &end, clock_ms() + ms);
	loop_run(&world.loop);
	loop_timer_cancel(&world.loop, &end);
}

struct checked_monitor world_monitor(int64_t id, const char *url)
{
	static char urls[16384][40];
	static size_t used;
	char *own = urls[used++ % ARRAY_LEN(urls)];
	snprintf(own, sizeof(urls[0]), "http://host%lld.example/", (long long)id);
	return (struct checked_monitor){
		.id = id,
		.name = "Shop",
		.settings = { .type = CHECK_HTTP,
			      .interval = 60,
			      .timeout = 10,
			      .confirmations = 2,
			      .recoveries = 1,
			      .url = url ? url : own },
		.state = { .phase = CHECK_UP,
			   .since = { WORLD_START_S - 1000 },
			   .well_since = { WORLD_START_S - 1000 },
			   .checked_at = clock_now() },
	};
}

void world_list(struct checked_monitor *rows, size_t count)
{
	const struct checked_list list = { rows, count };
	world.observer.monitors(world.observer.context, &list);
}

void world_signal(int64_t monitor_id, int kind, int64_t value)
{
	static int64_t id;
	const struct check_signal row = { .id = ++id,
					  .monitor_id = monitor_id,
					  .kind = kind,
					  .value = value,
					  .at = clock_now() };
	world.observer.signals(world.observer.context, &row, monitor_id != 0);
}
