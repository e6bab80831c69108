#include "check/anchors.h"

#include "base/str.h"
#include "domain/web_url.h"

enum { ROUNDS = 2 }; /* failed rounds in a row after which the checker counts as cut off */

static void end_round(struct anchors *anchors, const struct probe_result *result)
{
	bool was_cut_off = anchors->is_cut_off;
	for (size_t i = 0; i < anchors->count; i++) {
		if (anchors->rows[i].is_running)
			probe_cancel(&anchors->rows[i].probe);
		anchors->rows[i].is_running = false;
	}
	anchors->running = 0;
	if (result->is_up) {
		anchors->failures = 0;
		anchors->good_ms = anchors->round_ms;
		anchors->good_at = anchors->round_at;
		anchors->is_cut_off = false;
	} else if (!result->is_void && ++anchors->failures >= ROUNDS) {
		anchors->is_cut_off = true;
	}
	int64_t wait_ms = anchors->is_cut_off ? ANCHORS_AGAIN_MS
			  : result->is_up     ? ANCHORS_EVERY_MS
					      : 0;
	loop_timer_set(anchors->loop, &anchors->timer, clock_ms() + wait_ms);
	if (anchors->is_cut_off != was_cut_off)
		anchors->call(anchors->context, anchors->is_cut_off);
}

static void end_probe(void *context, const struct probe_result *result)
{
	struct anchor *anchor = context;
	struct anchors *anchors = anchor->anchors;
	anchor->is_running = false;
	anchors->running--;
	if (result->is_up || anchors->running == 0)
		end_round(anchors, result);
}

static void begin_round(void *context)
{
	struct anchors *anchors = context;
	loop_timer_cancel(anchors->loop, &anchors->timer);
	anchors->round_ms = clock_ms();
	anchors->round_at = anchors->now(anchors->context);
	for (size_t i = 0; i < anchors->count; i++) {
		struct anchor *anchor = &anchors->rows[i];
		anchor->anchors = anchors;
		anchor->probe = (struct probe){ .settings = &anchor->settings,
						.call = end_probe,
						.context = anchor };
		anchor->is_running = true;
		anchors->running++;
		probe_start(anchors->prober, &anchor->probe);
	}
}

static bool add(struct anchors *anchors, const char *url)
{
	struct check_target target = { .port = 0 };
	bool is_url = web_url_is_valid(url);
	if (anchors->count == ANCHORS_MAX || (!is_url && !check_target_read(url, &target)))
		return false;
	/* Any response to a URL counts as success: it shows that the network works. */
	anchors->rows[anchors->count++].settings = (struct check_settings){
		.type = is_url		   ? CHECK_HTTP
			: target.port != 0 ? CHECK_TCP
					   : CHECK_PING,
		.url = url,
		.timeout = ANCHORS_TIMEOUT_S,
		.expected_statuses = "100-599",
		.verify_tls = true,
	};
	return true;
}

enum result anchors_parse(struct anchors *anchors, const char *text, struct arena *arena,
			  struct error *error)
{
	struct str rest = str_from(text), item;
	while (text && str_split(&rest, ',', &item)) {
		item = str_trim_ows(item);
		if (!add(anchors, arena_strndup(arena, item.data, item.len)))
			return error_client(error, E_INVALID,
					    "[checker] anchors must be up to %d URLs, hosts with a "
					    "port, or hosts, separated by commas",
					    ANCHORS_MAX);
	}
	return OK;
}

void anchors_open(struct anchors *anchors, struct loop *loop, struct prober *prober)
{
	anchors->loop = loop;
	anchors->prober = prober;
	anchors->good_at = anchors->now(anchors->context);
	anchors->timer = (struct loop_timer){ .call = begin_round, .context = anchors };
	if (anchors->count > 0)
		loop_timer_set(loop, &anchors->timer, clock_ms());
}

void anchors_close(struct anchors *anchors)
{
	for (size_t i = 0; i < anchors->count; i++)
		if (anchors->rows[i].is_running)
			probe_cancel(&anchors->rows[i].probe);
	if (anchors->loop)
		loop_timer_cancel(anchors->loop, &anchors->timer);
}

bool anchors_ask(struct anchors *anchors, int64_t since_ms)
{
	if (anchors->count == 0 || anchors->good_ms >= since_ms)
		return true;
	if (anchors->running == 0)
		loop_timer_set(anchors->loop, &anchors->timer, clock_ms());
	return false;
}
