/*
 * The screens of resources. A struct console_screen describes each screen. The handlers here
 * respond with the screens, but the handlers of the API take their forms. The response to a form is
 * a redirect to the changed object, or the same form with the errors of its fields.
 */
#ifndef APP_CONSOLE_CONSOLE_SCREENS_H
#define APP_CONSOLE_CONSOLE_SCREENS_H

#include "app/exchange.h"
#include "service/resource/resource.h"
#include "view/console/console_resource_html.h"

extern const struct console_screen console_incidents_screen, console_update_screen,
	console_maintenances_screen, console_note_screen, console_monitors_screen,
	console_times_screen, console_reports_screen, console_pages_screen, console_design_screen,
	console_access_screen, console_systems_screen, console_share_screen,
	console_subscribers_screen, console_links_screen, console_channels_screen,
	console_deliveries_screen, console_keys_screen, console_audit_screen,
	console_templates_screen;
/* The screens that "More" lists. NULL ends the array. */
extern const struct console_screen *const console_more_screens[];

/* The query of a list, and the rows that it finds. */
struct console_list_rows {
	struct list_query *query;
	struct resource_rows found;
	const void **rows; /* the found rows, as resource_present() returns them */
};
/* Reads at most `limit` rows of the screen's list, by the request's query. */
enum result console_read_list(struct exchange *exchange, int64_t limit,
			      struct console_list_rows *read) MUST_USE;
/* Returns the request's query, with the parameter `page` replaced. Returns NULL if `page` is not
 * from 1 to `last`. */
const char *console_part_query(struct exchange *exchange, int64_t page, int64_t last);
/* Returns the fields of the list's query that have an input in the screen's filter. */
struct fields console_filter_fields(struct exchange *exchange);
enum result console_list(struct exchange *exchange);
enum result console_list_file(struct exchange *exchange);
enum result console_new(struct exchange *exchange);
enum result console_object(struct exchange *exchange);
enum result console_more(struct exchange *exchange);
extern const struct fields console_systems_query_fields, console_systems_fields;
enum result console_systems(struct exchange *exchange);
enum result console_share(struct exchange *exchange);
enum result console_report_of_month(struct exchange *exchange);
enum result console_response_times(struct exchange *exchange);
extern const struct fields console_bulk_fields;
enum result console_bulk(struct exchange *exchange);
enum result console_systems_change(struct exchange *exchange);

/* Drops parameters without a value from the query: browsers send these for empty inputs. Also drops
 * the parameters of the notice, which must not be shown again. */
void console_settle_query(struct exchange *exchange);
/* Returns the ids that the person chose in the field, sorted. If the form was not sent, returns the
 * ids that the object has. */
struct id_list console_chosen_ids(struct exchange *exchange, const struct console_object *object,
				  const struct field *field);

/* Returns the path of the list below the console. */
const char *console_list_path(struct exchange *exchange, const struct console_screen *screen);
/* The outcome of a form, which the next screen shows. */
enum console_outcome {
	CONSOLE_IS_SAVED,
	CONSOLE_IS_ADDED,
	CONSOLE_IS_ACCEPTED,
	CONSOLE_IS_DELETED
};
/* Responds to a form with a redirect: to the screen of the object `id`, or to the list. */
void console_respond_saved(struct exchange *exchange, int64_t id, enum console_outcome outcome);
/* Returns the names and values of the object's members. A row without a name ends the array. */
const struct word_value *console_members(struct exchange *exchange, struct json_object *object);
extern const struct fields console_health_fields;
/* Responds to a form with a screen that shows the members of `data`, which is an API response. */
void console_respond_result(struct exchange *exchange, struct json_object *data);
enum result console_channel_test(struct exchange *exchange);
/* Responds with the form again if a value is not valid, or if the object has changed since the form
 * was made. For any other error, makes no response and returns false. */
bool console_respond_refused(struct exchange *exchange, enum result result);
/* Sets the options of `inputs` for the list of ids `field`. Sets *has_more if only some of the
 * objects became options. */
enum result console_read_options(struct exchange *exchange, const char *field, const char *search,
				 struct console_inputs *inputs, bool *has_more) MUST_USE;
/* Like console_read_options(), but for the list of ids in the object's form. Also sets the chosen
 * ids. */
enum result console_set_options(struct exchange *exchange, struct console_inputs *inputs,
				struct console_object *object, const char *search) MUST_USE;
/* Returns the times of a maintenance window as a person types them. `window` is NULL for a new
 * window. */
struct maintenance;
const struct word_value *console_window_presets(struct exchange *exchange,
						const struct maintenance *window);

#endif
