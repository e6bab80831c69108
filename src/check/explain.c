#include "check/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "access/signing_key.h"
#include "base/printable.h"
#include "check/registry.h"
#include "domain/monitor/check_expiry.h"
#include "store/check/check_find.h"
#include "store/check/check_settings_store.h"

enum { ARENA_MAX_BYTES = 64 << 20 };

struct explaining {
	struct loop loop;
	struct arena arena;
	const struct stored_check *check;
	struct probe probe;
	struct registry registry;
	enum explanation outcome;
	bool has_stopped; /* the check has not reached a step */
};

static void close_db(struct db **db)
{
	db_free(*db);
}

static enum explanation fail(const char *format, ...) PRINTF_LIKE(1, 2);
static enum explanation fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("daymark-check: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return EXPLAINED_NOTHING;
}

/* Prints the step if the check reached it. If the check failed, also prints the first step that it
 * did not reach. */
static void print_step(struct explaining *explaining, const char *step, const char *what,
		       int64_t us)
{
	if (us != PROBE_NOT_REACHED)
		printf("%-12s %-40s %8.1f ms\n", step, what, (double)us / 1000);
	else if (!explaining->has_stopped && !explaining->probe.result.is_up)
		printf("%-12s %-40s not reached\n", step, what);
	explaining->has_stopped |= us == PROBE_NOT_REACHED;
}

static const char *safe(struct explaining *explaining, const char *text)
{
	return printable_text(&explaining->arena, text ? text : "");
}

static void print_certificate(struct explaining *explaining, const struct probe_result *result)
{
	char expires[INSTANT_TEXT_SIZE];
	if (result->tls_expires_at.s != 0)
		printf("%-12s expires %s, issued by %s\n", "certificate",
		       instant_format(result->tls_expires_at, expires),
		       safe(explaining, result->tls_issuer));
}

static void print_domain(void *context, struct instant date, const char *why)
{
	struct explaining *explaining = context;
	const struct check_settings *settings = &explaining->check->settings;
	char text[EXPIRY_TEXT_SIZE], domain[RDAP_DOMAIN_SIZE];
	(void)rdap_domain_of_url(settings->type, settings->url, domain);
	printf("%-12s %s: %s%s\n", "domain", domain,
	       date.s > 0 ? expiry_text(date, clock_now(), text) : "unknown when it expires, ",
	       date.s > 0 ? "" : safe(explaining, why));
	loop_stop(&explaining->loop);
}

/* Called after the check. Asks the registry if the monitor warns before its domain expires. */
static void ask_registry(struct explaining *explaining)
{
	const struct check_settings *settings = &explaining->check->settings;
	char domain[RDAP_DOMAIN_SIZE];
	if (settings->domain_alert_days > 0 &&
	    rdap_domain_of_url(settings->type, settings->url, domain))
		registry_ask(&explaining->registry, domain);
	else
		loop_stop(&explaining->loop);
}

static void print_steps(struct explaining *explaining, const struct probe_result *result)
{
	static const char *const responses[CHECK_TYPES] = { [CHECK_HTTP] = "first byte",
							    [CHECK_TCP] = "first byte",
							    [CHECK_PING] = "reply",
							    [CHECK_DNS] = "answer" };
	const struct check_settings *settings = &explaining->check->settings;
	char what[64] = "";
	bool connects = settings->type == CHECK_HTTP || settings->type == CHECK_TCP ||
			settings->type == CHECK_TLS || result->connected_us != PROBE_NOT_REACHED;
	bool has_tls = result->secured_us != PROBE_NOT_REACHED || settings->type == CHECK_TLS ||
		       (settings->type == CHECK_HTTP &&
			strncasecmp(settings->url, "https:", strlen("https:")) == 0);
	if (settings->type != CHECK_DNS)
		print_step(explaining, "name", safe(explaining, settings->url),
			   result->resolved_us);
	/* If a TLS handshake fails, libcurl gives the address, but not always the time. */
	if (connects &&
	    (result->connected_us != PROBE_NOT_REACHED || !has_tls || !*result->address))
		print_step(explaining, "connect", result->address, result->connected_us);
	if (has_tls)
		print_step(explaining, "TLS", "", result->secured_us);
	if (result->status != 0)
		snprintf(what, sizeof(what), "status %d", result->status);
	else if (!connects)
		snprintf(what, sizeof(what), "%s", result->address);
	if (responses[settings->type])
		print_step(explaining, responses[settings->type], what, result->first_byte_us);
	print_step(explaining, "end", "", result->done_us);
}

static void end(void *context, const struct probe_result *result)
{
	struct explaining *explaining = context;
	const struct check_settings *settings = &explaining->check->settings;
	print_steps(explaining, result);
	print_certificate(explaining, result);
	if (*result->note)
		printf("%-12s %s\n", "note", safe(explaining, result->note));
	if (result->is_void)
		printf("unknown: %s\n", safe(explaining, result->cause));
	else if (result->is_up)
		printf("up: %lld ms\n", (long long)result->response_ms);
	else
		printf("down: %s\n", safe(explaining, result->cause));
	if (!result->is_void)
		explaining->outcome = result->is_up ? EXPLAINED_UP : EXPLAINED_DOWN;
	if (result->is_up && settings->slow_ms > 0 && result->response_ms > settings->slow_ms)
		printf("slower than %lld ms: degraded performance\n", (long long)settings->slow_ms);
	ask_registry(explaining);
}

/* Reads the settings of the monitor. */
static enum explanation read_check(struct explaining *explaining, const struct config *config,
				   int64_t id, struct db *db)
{
	struct error error = { 0 };
	struct stored_check_list list;
	struct signing_key key;
	bool has_key = signing_key_load(config->pages_dir, &key);
	const struct check_range range = { .after_id = id - 1, .most = 1 };
	if (stored_checks_read(db, has_key ? key.bytes : NULL, &range, &explaining->arena, &list,
			       &error) != OK)
		return fail("%s", error_text(&error));
	if (list.count == 0 || list.rows[0].id != id)
		return fail("monitor %lld is not checked", (long long)id);
	explaining->check = &list.rows[0];
	if (explaining->check->settings.type == CHECK_HEARTBEAT)
		return fail("monitor %lld waits for heartbeats: there is nothing to check",
			    (long long)id);
	if (explaining->check->settings.has_lost_secrets)
		return fail("the secrets of monitor %lld cannot be decrypted: enter them again",
			    (long long)id);
	return EXPLAINED_UP;
}

static enum explanation find(struct explaining *explaining, const struct config *config,
			     const char *monitor)
{
	struct error error = { 0 };
	struct check_found_list list;
	struct db_login login = db_login_of(config, false);
	struct db *db CLEANUP(close_db) = db_new(&login);
	int64_t id;
	if (check_find(db, monitor, &explaining->arena, &list, &error) != OK)
		return fail("%s", error_text(&error));
	for (size_t i = 0; i < list.count && list.count > 1; i++)
		if (str_to_int64(str_from(monitor), &id) && list.rows[i].id == id)
			list = (struct check_found_list){ &list.rows[i], 1 };
	if (list.count == 0)
		return fail("no monitor that is checked has the id, label or name %s", monitor);
	for (size_t i = 0; i < list.count && list.count > 1; i++)
		fprintf(stderr, "%lld  account %lld  %s\n", (long long)list.rows[i].id,
			(long long)list.rows[i].account_id, safe(explaining, list.rows[i].name));
	if (list.count > 1)
		return fail("several monitors have that label or name: give an id");
	return read_check(explaining, config, list.rows[0].id, db);
}

static enum explanation run(struct explaining *explaining, const struct config *config)
{
	const struct prober_settings settings = prober_settings_of(config);
	const struct stored_check *check = explaining->check;
	struct prober *prober;
	struct error error = { 0 };
	if (!loop_open(&explaining->loop))
		return fail("out of descriptors");
	explaining->outcome = EXPLAINED_NOTHING;
	if (prober_open(&prober, &explaining->loop, &settings, &error) != OK) {
		fail("%s", error_text(&error));
	} else {
		printf("monitor %lld, %s: %s %s\n", (long long)check->id,
		       safe(explaining, check->name), check_type_words[check->settings.type],
		       safe(explaining, check->settings.url));
		explaining->probe = (struct probe){ .settings = &check->settings,
						    .call = end,
						    .context = explaining };
		explaining->registry.call = print_domain;
		explaining->registry.context = explaining;
		registry_open(&explaining->registry, &explaining->loop, prober, config);
		probe_start(prober, &explaining->probe);
		loop_run(&explaining->loop);
		registry_close(&explaining->registry);
		prober_close(prober);
	}
	(void)loop_close(&explaining->loop);
	return explaining->outcome;
}

enum explanation explain(const struct config *config, const char *monitor)
{
	struct explaining explaining = { .check = NULL };
	arena_init(&explaining.arena, ARENA_MAX_BYTES);
	enum explanation outcome = find(&explaining, config, monitor);
	if (outcome == EXPLAINED_UP)
		outcome = run(&explaining, config);
	arena_done(&explaining.arena);
	return outcome;
}
