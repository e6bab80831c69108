#include "check/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_MAX_BYTES = 1 << 20, ARENA_MAX_BYTES = 1 << 20, PAUSE_MAX_S = 86400, PAUSE_MIN_S = 60 };
static const int second_ms = 1000;

static void finish(struct registry *registry, struct instant date, const char *why)
{
	registry->domain[0] = '\0';
	arena_reset(&registry->arena);
	registry->call(registry->context, date, why);
}

static void refuse(void *context)
{
	struct registry *registry = context;
	finish(registry, (struct instant){ 0 }, registry->why);
}

static const char *suffix_of(const char *domain)
{
	const char *dot = strrchr(domain, '.');
	return dot ? dot + 1 : domain;
}

/* Notes that the registry has responded 429, and must not be asked for a while. */
static void leave_alone(struct registry *registry, int64_t wanted_s)
{
	struct registry_limited *limited =
		&registry->limited[registry->limited_next++ % REGISTRY_LIMITED_MAX];
	int64_t pause_s = wanted_s == 0		   ? REGISTRY_AGAIN_S
			  : wanted_s < PAUSE_MIN_S ? PAUSE_MIN_S
			  : wanted_s > PAUSE_MAX_S ? PAUSE_MAX_S
						   : wanted_s;
	snprintf(limited->suffix, sizeof(limited->suffix), "%s", suffix_of(registry->domain));
	limited->until_ms = clock_ms() + pause_s * second_ms;
}

bool registry_is_ready(const struct registry *registry, const char *domain)
{
	for (size_t i = 0; i < REGISTRY_LIMITED_MAX; i++)
		if (registry->limited[i].until_ms > clock_ms() &&
		    strcmp(registry->limited[i].suffix, suffix_of(domain)) == 0)
			return false;
	return true;
}

static void request(struct registry *registry, const char *url,
		    void (*call)(void *, const struct probe_result *))
{
	static struct check_header accept = { .key = "Accept",
					      .value = "application/rdap+json, application/json" };
	registry->settings = (struct check_settings){
		.type = CHECK_HTTP,
		.url = url,
		.timeout = REGISTRY_TIMEOUT_S,
		.follow_redirects = true,
		.verify_tls = true,
		.request_headers = { &accept, 1 },
	};
	registry->probe = (struct probe){ .settings = &registry->settings,
					  .call = call,
					  .context = registry,
					  .body = &registry->body };
	registry->is_probing = true;
	probe_start(registry->prober, &registry->probe);
}

static void take_domain(void *context, const struct probe_result *result)
{
	struct registry *registry = context;
	struct str body = { registry->body.data ? registry->body.data : "", registry->body.len };
	struct instant date = { 0 };
	char why[CHECK_CAUSE_MAX_BYTES + 1];
	registry->is_probing = false;
	snprintf(why, sizeof(why), "%s", result->cause);
	if (result->status == 429)
		leave_alone(registry, result->retry_after_s);
	if (result->is_up && !rdap_expiry(body, registry->domain, &date))
		snprintf(why, sizeof(why), "the registry states no date");
	buf_done(&registry->body);
	finish(registry, date, why);
}

static void ask_server(struct registry *registry)
{
	bool has_list = registry->list || registry->is_default_list;
	const char *url = has_list ? rdap_url(registry->list, registry->domain, &registry->arena)
				   : NULL;
	if (url) {
		request(registry, url, take_domain);
		return;
	}
	snprintf(registry->why, sizeof(registry->why), "%s",
		 has_list ? "the registry has no RDAP" : "the list of registries cannot be read");
	loop_timer_set(registry->loop, &registry->timer, 0);
}

static void take_list(void *context, const struct probe_result *result)
{
	struct registry *registry = context;
	registry->is_probing = false;
	bool is_valid = result->is_up && registry->body.len > 0 &&
			rdap_bootstrap_is_valid(registry->body.data);
	if (is_valid) {
		free(registry->list);
		registry->list = strdup(registry->body.data);
	}
	buf_done(&registry->body);
	int64_t keep_s = is_valid ? REGISTRY_LIST_S : REGISTRY_AGAIN_S;
	registry->list_until_ms = clock_ms() + keep_s * second_ms;
	ask_server(registry);
}

void registry_ask(struct registry *registry, const char *domain)
{
	snprintf(registry->domain, sizeof(registry->domain), "%s", domain);
	if (clock_ms() < registry->list_until_ms)
		ask_server(registry);
	else
		request(registry, registry->list_url, take_list);
}

void registry_open(struct registry *registry, struct loop *loop, struct prober *prober,
		   const struct config *config)
{
	registry->loop = loop;
	registry->prober = prober;
	registry->list_url = config->rdap_bootstrap;
	registry->is_default_list = strcmp(config->rdap_bootstrap, CONFIG_RDAP_BOOTSTRAP) == 0;
	registry->timer = (struct loop_timer){ .call = refuse, .context = registry };
	registry->body = BUF_INIT(BODY_MAX_BYTES + 1);
	arena_init(&registry->arena, ARENA_MAX_BYTES);
}

void registry_close(struct registry *registry)
{
	if (!registry->loop)
		return;
	if (registry->is_probing)
		probe_cancel(&registry->probe);
	loop_timer_cancel(registry->loop, &registry->timer);
	buf_done(&registry->body);
	free(registry->list);
	arena_done(&registry->arena);
}
