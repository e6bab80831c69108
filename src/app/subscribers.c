#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/rate.h"
#include "app/resources.h"
#include "app/respond.h"
#include "http/body.h"
#include "service/bounces.h"
#include "service/subscribers.h"
#include "wire/bounce_report.h"
#include "wire/json.h"

/* POST /status-pages/{id}/subscribers */
enum result subscribers_create(struct exchange *exchange)
{
	struct subscriber_input input = { 0 };
	struct subscriber subscriber;
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_add_subscriber(
		exchange_service(exchange, exchange_admit_creation, resources_render_created),
		exchange->match.id, &input, &subscriber);
}

/* DELETE /status-pages/{id}/subscribers/{subscriber_id} */
enum result subscribers_delete(struct exchange *exchange)
{
	struct subscriber subscriber;
	return service_delete_subscriber(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, exchange->match.part_id, &subscriber);
}

/* POST /status-pages/{id}/subscribers/import */

struct file_input {
	struct field_file *file;
};
static const struct field file_rows[] = {
	FIELD(struct file_input, file, .flags = FIELD_REQUIRED, .max_bytes = 4 << 20,
	      .text = "A CSV file, whose header names the column address. Rows whose column state "
		      "is not confirmed are left out."),
};
const struct fields subscribers_file_fields = { file_rows, ARRAY_LEN(file_rows) };

static void render_import(struct exchange *exchange, const void *outcome)
{
	exchange_respond_row(exchange, 200, subscriber_import_fields, outcome);
}

enum result subscribers_import(struct exchange *exchange)
{
	struct file_input input = { 0 };
	struct field_set sent;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	struct subscriber_import import = { 0 };
	if (input.file)
		import.csv = (struct str){ input.file->data, input.file->len };
	return service_import_subscribers(exchange_service(exchange, NULL, render_import),
					  exchange->match.id, &import);
}

/* GET /status-pages/{id}/subscribers/export */
enum result subscribers_export(struct exchange *exchange)
{
	buf_clear(&exchange->response.body);
	enum result result = service_export_subscribers(&exchange->service, exchange->match.id,
							&exchange->response.body);
	if (result != OK)
		return result;
	exchange_respond_csv(exchange, arena_printf(&exchange->arena, "subscribers-%lld.csv",
						    (long long)exchange->match.id));
	return OK;
}

enum result hooks_bounce(struct exchange *exchange)
{
	struct buf report CLEANUP(buf_done) = BUF_INIT(BOUNCE_MAX_BYTES);
	enum bounce_outcome outcome;
	const int64_t per_minute = exchange->config->wrong_keys_per_minute;
	/* If the limit is used up, rate_allows() counts the report too, and sets Retry-After. */
	if (rate_is_used_up(exchange, per_minute, rate_wrong_keys(exchange)) &&
	    !rate_allows(exchange, per_minute, rate_wrong_keys(exchange)))
		return E_RATE_LIMITED;
	enum result result = body_read_bytes(&exchange->request, exchange->gateway, &report,
					     BOUNCE_MAX_BYTES, &exchange->error);
	if (result == OK)
		result = service_take_bounce(exchange_service(exchange, NULL, NULL),
					     (struct str){ report.data, report.len }, &outcome);
	if (result != OK)
		return result;
	if (outcome == BOUNCE_UNSIGNED) {
		(void)rate_allows(exchange, per_minute, rate_wrong_keys(exchange));
		return error_client(&exchange->error, E_FORBIDDEN,
				    "The report was sent to no address of this installation.");
	}
	struct json_object *data = json_object_tree();
	json_put_text(data, "outcome", bounce_outcome_words[outcome]);
	exchange_respond(exchange, 200, data);
	return OK;
}
