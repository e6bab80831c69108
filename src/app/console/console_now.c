/* /console: the open incidents, and the failures that a person must fix */
#include <string.h>

#include "app/console/console.h"
#include "app/input.h"
#include "app/mirrors.h"
#include "app/operation.h"
#include "domain/incident/incident_report.h"
#include "service/attention.h"
#include "service/incident/incidents.h"
#include "service/resource/resource.h"
#include "store/check/check_store.h"
#include "store/incident/incident.h"
#include "store/notify/delivery.h"
#include "view/console/console_now_html.h"

/* With ROWS_MAX incidents the screen has less than 30 kB, even with the longest texts. */
enum { ROWS_MAX = 7, PAGE_MAX = 1000 };

/* The values of the parameter `notice`. The redirect after a form has the parameter, and the next
 * screen shows its sentence. */
static const char *const notice_words[] = { "pending", "taken", "declined", NULL };
static const enum console_sentence notices[] = { CONSOLE_POSTED_PENDING, CONSOLE_TAKEN_NOW,
						 CONSOLE_DECLINED };
struct now_query {
	int notice;
	int64_t page;
};
static const struct field query_rows[] = {
	FIELD(struct now_query, notice, .choices = notice_words),
	FIELD(struct now_query, page, .min = 1, .max = PAGE_MAX),
};
const struct fields console_now_fields = { query_rows, ARRAY_LEN(query_rows) };

static const char *taken_by(const struct attention *attention, int64_t incident_id,
			    struct arena *arena)
{
	const struct acknowledger *rows = attention->takers;
	for (size_t i = 0; i < attention->taker_count; i++)
		if (rows[i].incident_id == incident_id)
			return strcmp(rows[i].actor_type, "user") == 0
				       ? rows[i].actor_label
				       : principal_text(rows[i].actor_type, rows[i].actor_id,
							rows[i].actor_label, arena);
	return NULL;
}

static enum result read_incidents(struct exchange *exchange, int64_t page,
				  struct resource_rows *found)
{
	struct incident_query query =
		*(const struct incident_query *)resource_incidents.query_defaults;
	query.status = INCIDENT_OPEN;
	query.list.page = page;
	query.list.limit = ROWS_MAX;
	query.list.sort_by = INCIDENT_BY_STARTED_AT;
	return resource_list(&exchange->service, &resource_incidents, 0, &query, found);
}

/* Returns the fields of an update that have an input on the first screen. */
static struct fields reply_fields(struct arena *arena)
{
	static const char *const names[] = { "body", "phase", "next_update_at" };
	struct field *rows = ARENA_ARRAY(arena, ARRAY_LEN(names), struct field);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		rows[i] = *fields_find(incident_post_fields, names[i]);
	return (struct fields){ rows, ARRAY_LEN(names) };
}

/* Returns the inputs of the form in an incident's row. If this request has posted the form, they
 * have the typed values and the violations. */
static struct console_inputs reply_of(struct exchange *exchange, const struct incident *incident)
{
	bool is_typed = exchange->form && exchange->match.id == incident->id;
	struct incident_post *post = ARENA_NEW(&exchange->arena, struct incident_post);
	*post = (struct incident_post){ .phase = incident->phase,
					.next_update_at = incident->next_update_at };
	struct console_inputs reply = {
		.fields = reply_fields(&exchange->arena),
		.object = post,
		.typed = is_typed ? console_typed(exchange, false) : NULL,
		.violations = is_typed ? &exchange->violations : NULL,
		.focus = is_typed ? "body" : NULL,
		.suffix = arena_printf(&exchange->arena, "-%lld", (long long)incident->id),
	};
	return reply;
}

static void set_rows(struct exchange *exchange, const struct resource_rows *found,
		     const struct attention *attention, struct console_now *now)
{
	const struct incident_resource *incidents = found->rows;
	struct console_now_row *rows =
		ARENA_ARRAY(&exchange->arena, found->count, struct console_now_row);
	for (size_t i = 0; i < found->count; i++)
		rows[i] = (struct console_now_row){
			.incident = resource_present(&exchange->service, &resource_incidents,
						     &incidents[i]),
			.taken_by = taken_by(attention, incidents[i].row.id, &exchange->arena),
			.form_key = console_form_key(exchange),
			.reply = reply_of(exchange, &incidents[i].row),
		};
	now->rows = rows;
	now->count = found->count;
	now->total = found->total;
	now->has_more = now->page * ROWS_MAX < found->total;
}

static void set_needs(struct exchange *exchange, const struct attention *attention,
		      struct console_now *now)
{
	struct mirror_trouble *troubles;
	const int64_t needs[] = { attention->overdue_promises,	 attention->failed_deliveries,
				  attention->suspended_channels, attention->suspended_subscribers,
				  attention->unpublished_pages,	 attention->pending_updates };
	_Static_assert(sizeof(needs) == sizeof(now->needs), "a sentence for each");
	memcpy(now->needs, needs, sizeof(needs));
	now->cut_off_since = attention->cut_off_since;
	now->mirror_count = mirrors_in_trouble(exchange, &troubles);
	struct console_mirror *mirrors =
		ARENA_ARRAY(&exchange->arena, now->mirror_count, struct console_mirror);
	for (size_t i = 0; i < now->mirror_count; i++)
		mirrors[i] = (struct console_mirror){ troubles[i].name, troubles[i].reason };
	now->mirrors = mirrors;
}

/* Reads the screen's data. A request for the screen runs at most four SQL statements, including the
 * one for the session. It runs one more if texts wait for a second person's approval. */
static enum result read_now(struct exchange *exchange, struct console_now *now)
{
	struct resource_rows found;
	struct attention attention;
	enum result result = read_incidents(exchange, now->page, &found);
	if (result != OK)
		return result;
	const struct incident_resource *incidents = found.rows;
	struct id_list ids = { ARENA_ARRAY(&exchange->arena, found.count, int64_t), found.count };
	for (size_t i = 0; i < found.count; i++)
		ids.ids[i] = incidents[i].row.id;
	result = service_read_attention(&exchange->service, &ids, &attention);
	if (result != OK)
		return result;
	set_rows(exchange, &found, &attention, now);
	set_needs(exchange, &attention, now);
	now->audience = attention.audience;
	now->maintenance_now = attention.maintenance_now;
	now->maintenance_next = attention.maintenance_next;
	return attention.pending_updates > 0 ? console_read_pending(exchange, 0, &now->pending)
					     : OK;
}

static enum result show(struct exchange *exchange, int status, struct console_now *now)
{
	const struct console_view view = console_view(exchange);
	enum result result = read_now(exchange, now);
	if (result != OK)
		return result;
	now->may_respond = principal_may(&exchange->service.principal, PERMISSION_RESPOND);
	console_now_html(&exchange->response.body, &view, now);
	console_respond(exchange, status);
	return OK;
}

enum result console_now(struct exchange *exchange)
{
	struct now_query query = { -1, 1 };
	struct console_now now = { 0 };
	enum result result = exchange_query(exchange, &query);
	if (result != OK)
		return result;
	now.page = query.page;
	now.notice = query.notice >= 0 ? &notices[query.notice] : NULL;
	return show(exchange, 200, &now);
}

static void render_taken(struct exchange *exchange, const void *outcome)
{
	(void)outcome;
	console_redirect(exchange, "?notice=taken");
}

/* POST /console/incidents/{id}/acknowledge. If the person has typed a text in the row, the response
 * shows this text again. */
enum result console_now_take(struct exchange *exchange)
{
	struct incident_update update = { .input = { .acknowledged_at = true },
					  .sent = FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED) };
	struct incident_resource outcome;
	struct incident_post post = { .phase = -1 };
	struct console_now now = { .page = 1, .notice = &notices[1] };
	struct field_set sent;
	enum result result = exchange_body(exchange, &post, &sent);
	bool is_typed = post.body != NULL;
	/* Drop violations in the typed text: they matter only for the button "Publish". */
	exchange->violations.count = 0;
	exchange->violations.first = NULL;
	if (is_typed)
		exchange->service.idempotency = (struct idempotency_key){ 0 };
	if (result == OK)
		result = service_update_incident(
			exchange_service(exchange, NULL, is_typed ? NULL : render_taken),
			exchange->match.id, &update, &outcome);
	return result == OK && is_typed ? show(exchange, 200, &now) : result;
}

/* The values that /console/health shows. */
struct health {
	int64_t database_ms;
	int checker; /* -1: no checker is needed */
	int64_t idle_s, waiting_s;
};
static const char *const checker_words[] = { "runs", "does_not_run", "has_never_run", NULL };
#define LATE(member, its_label) \
	FIELD(struct health, member, .flags = FIELD_SECONDS | FIELD_ZERO_IS_NULL, \
	      .label = its_label)
static const struct field health_rows[] = {
	FIELD(struct health, database_ms, .label = "Answer of the database (ms)"),
	FIELD(struct health, checker, .choices = checker_words),
	LATE(idle_s, "Last checker was seen before"),
	LATE(waiting_s, "Oldest message that is due has waited"),
};
const struct fields console_health_fields = { health_rows, ARRAY_LEN(health_rows) };
static const char *const health_names[] = { "database_ms", "checker", "idle_s", "waiting_s", NULL };

/* GET /console/health. A request runs four SQL statements, and one of them reads the session. */
enum result console_health(struct exchange *exchange)
{
	const struct console_view view = console_view(exchange);
	struct console_now needs = { 0 };
	struct delivery_health messages = { 0 };
	struct check_idleness checker;
	struct attention attention;
	int64_t began_ms = clock_ms();
	enum result result =
		service_read_attention(&exchange->service, &(struct id_list){ 0 }, &attention);
	struct health health = { .database_ms = clock_ms() - began_ms };
	if (result == OK)
		result = check_idleness_read(exchange->db, &checker, &exchange->error);
	if (result == OK && exchange->config->has_outbox)
		result = delivery_health_read(exchange->db, exchange->now, &messages,
					      &exchange->error);
	if (result != OK)
		return result;
	set_needs(exchange, &attention, &needs);
	health.checker = checker.idle_s < 0 ? 2 : checker.idle_s > 0;
	if (checker.monitors == 0)
		health.checker = -1;
	else if (checker.idle_s > 0)
		health.idle_s = checker.idle_s;
	/* The longer wait: of the oldest message, or of the oldest event without messages. */
	health.waiting_s = messages.oldest_s > messages.unexpanded_s ? messages.oldest_s
								     : messages.unexpanded_s;
	console_health_html(&exchange->response.body, &view, console_health_fields, health_names,
			    &health, &needs);
	console_respond(exchange, 200);
	return OK;
}
