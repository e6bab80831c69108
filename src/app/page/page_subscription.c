#include "app/handlers.h"

#include <string.h>

#include "access/signed_id.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/page/page_files.h"
#include "app/page/page_host.h"
#include "app/page/page_problem.h"
#include "app/rate.h"
#include "publish/page/pages_reader.h"
#include "service/subscriptions.h"
#include "view/page/page_error.h"
#include "view/page/page_text.h"
#include "view/service_html.h"
#include "view/subscription_html.h"

enum { CONTENT_MAX_BYTES = 4 << 20 };

enum action { ACTION_NONE, ACTION_CONFIRM, ACTION_SAVE, ACTION_END };
static const char *const action_words[] = { "none", "confirm", "save", "end", NULL };

struct input {
	const char *address;
	struct id_list monitor_ids;
	int action;
	const char *one_click;
};
static const struct field input_rows[] = {
	FIELD(struct input, address, .max_bytes = 2048),
	FIELD(struct input, monitor_ids, .max = STATUS_PAGE_MONITORS_MAX),
	FIELD(struct input, action, .flags = FIELD_AS_WORD, .choices = action_words),
	FIELD_NAMED(struct input, one_click, "List-Unsubscribe", .max_bytes = 64),
};
const struct fields page_subscription_fields = { input_rows, ARRAY_LEN(input_rows) };

struct query {
	const char *token;
};
static const struct field query_rows[] = { FIELD(struct query, token, .max_bytes = 128) };
static const struct fields query_fields = { query_rows, ARRAY_LEN(query_rows) };

/* Responds with the content. Uses the design of the page if the visitor may see the page. */
static enum result respond(struct exchange *exchange, int status, const char *heading,
			   const struct buf *html)
{
	struct buf *body = &exchange->response.body;
	const struct words *words = words_of_language(exchange->language);
	const struct str content = { html->data ? html->data : "", html->len };
	if (!buf_ok(html))
		return error_log(&exchange->error, E_BUSY, "no memory for a page");
	buf_clear(body);
	page_problem_set_private(exchange);
	if (exchange->error_page) {
		buf_puts(body, exchange->error_page);
		if (exchange->hides_scripts)
			page_text_make_plain(body);
		page_error_replace(
			body, &(struct page_error_content){
				      .root = page_host_path(exchange, exchange->match.params[0]),
				      .words = words,
				      .heading = heading,
				      .html = content });
	} else {
		service_content_html(body, words, heading, content);
	}
	page_problem_is_html(exchange, status);
	if (exchange->error_page)
		response_header(&exchange->response, "Content-Security-Policy", "%s",
				page_host_policy(exchange));
	return OK;
}

static const char *said(struct exchange *exchange, enum sentence sentence)
{
	return words_say(words_of_language(exchange->language), sentence);
}

static struct subscription_system *systems_of(struct exchange *exchange,
					      const struct subscriber_system *rows, size_t count,
					      const struct id_list *chosen)
{
	struct subscription_system *systems =
		ARENA_ARRAY(&exchange->arena, count, struct subscription_system);
	for (size_t i = 0; i < count; i++)
		systems[i] = (struct subscription_system){ rows[i].id, rows[i].name,
							   id_list_has(chosen, rows[i].id) };
	return systems;
}

/* The form */

/* Admits the visitor to the form. If the visitor is not admitted, makes the response, and sets
 * is_given to false. E_NOT_FOUND: this installation has no subscriptions. */
static enum result admit(struct exchange *exchange, struct page_admittance *admittance)
{
	*admittance = (struct page_admittance){ 0 };
	if (config_is_mirror(exchange->config))
		return error_log(&exchange->error, E_UNAVAILABLE, "a mirror takes no subscribers");
	if (!config_takes_subscribers(exchange->config))
		return E_NOT_FOUND;
	return page_files_admit(exchange, admittance);
}

static enum result show_form(struct exchange *exchange, int status, const struct input *input,
			     const char *token)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	struct db_list rows = { 0 };
	enum result result =
		service_subscription_form(&exchange->service, exchange->match.params[0], &rows);
	if (result != OK)
		return result;
	const struct subscription_form form = {
		.systems = systems_of(exchange, rows.rows, rows.count, &input->monitor_ids),
		.count = rows.count,
		.address = input->address,
		.is_wrong = status != 200,
	};
	subscription_form_html(&html, words_of_language(exchange->language), &form,
			       &exchange->arena);
	if (token)
		page_text_add_token(&html, token);
	return respond(exchange, status, said(exchange, SAY_SUBSCRIBE), &html);
}

enum result page_subscription_form(struct exchange *exchange)
{
	struct page_admittance admittance;
	enum result result = admit(exchange, &admittance);
	return result == OK && admittance.is_given
		       ? show_form(exchange, 200, &(struct input){ 0 }, admittance.token)
		       : result;
}

/* Counts a request of `who`. Returns false if there were more than `limit` requests in an hour.
 * Returns true if counts cannot be stored. */
static bool takes(struct exchange *exchange, const char *who, int64_t limit, int64_t *wait_s)
{
	const struct throttle_rule rule = { limit, 3600 };
	struct throttle *throttle = rate_throttle(exchange);
	struct throttle_count count = { 0 };
	if (throttle && !throttle_take(throttle, who, &rule, exchange->now.s, &count))
		rate_fail(exchange);
	*wait_s = count.wait_s;
	return !count.is_over;
}

/* Returns the client's network: the /24 of an IPv4 address. An IPv6 address is a network already.
 */
static const char *network_of(struct exchange *exchange)
{
	const char *client = exchange->request.client, *dot = strrchr(client, '.');
	return dot && !strchr(client, ':')
		       ? arena_strndup(&exchange->arena, client, (size_t)(dot - client))
		       : client;
}

static bool may_ask(struct exchange *exchange)
{
	struct arena *arena = &exchange->arena;
	int64_t wait_s;
	if (takes(exchange, arena_printf(arena, "subscribe from %s", network_of(exchange)),
		  SUBSCRIBER_ASKS_OF_NETWORK_MAX, &wait_s) &&
	    takes(exchange, arena_printf(arena, "subscribe at %s", exchange->match.params[0]),
		  SUBSCRIBER_ASKS_OF_PAGE_MAX, &wait_s))
		return true;
	response_header(&exchange->response, "Retry-After", "%lld", (long long)wait_s);
	return false;
}

enum result page_subscription_ask(struct exchange *exchange)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	struct input input = { 0 };
	struct subscriber subscriber = { 0 };
	struct field_set sent;
	struct page_admittance admittance;
	int64_t wait_s;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK && violations_has(&exchange->violations, "monitor_ids"))
		result = E_INVALID;
	if (result == OK)
		result = admit(exchange, &admittance);
	if (result != OK || !admittance.is_given)
		return result;
	id_list_settle(&input.monitor_ids);
	struct service *service = exchange_service(exchange, NULL, NULL);
	if (service_subscription_address(service, input.address, &subscriber) != OK)
		return show_form(exchange, 422, &input, admittance.token);
	if (!may_ask(exchange))
		return E_RATE_LIMITED;
	const struct subscriber_input asked = { input.address, input.monitor_ids };
	bool asks = takes(exchange,
			  arena_printf(&exchange->arena, "subscribe %s", subscriber.address_hash),
			  SUBSCRIBER_ASKS_MAX, &wait_s);
	result = service_subscribe(service, exchange->match.params[0], &asked, asks);
	if (result == E_INVALID)
		return show_form(exchange, 422, &input, admittance.token);
	if (result != OK)
		return result;
	words_put_element(&html, words_of_language(exchange->language), "p", SAY_ASKED_TEXT);
	return respond(exchange, 200, said(exchange, SAY_ASKED), &html);
}

/* The page of a link */

/* Reads the token: sets the signing key and the id. The id is 0 if this installation did not make
 * the token. */
static enum result read_link(struct exchange *exchange, struct subscription *subscription,
			     const char **token)
{
	struct query query = { 0 };
	exchange->hides_scripts = true;
	if (config_is_mirror(exchange->config))
		return error_log(&exchange->error, E_UNAVAILABLE, "a mirror has no subscribers");
	if (exchange_read_query(exchange, &query_fields, &query) != OK || !query.token)
		return OK;
	enum result result = service_read_key(&exchange->service, &subscription->key);
	if (result == OK && !signed_id_read(&subscription->key, SIGNED_SUBSCRIBER,
					    str_from(query.token), &subscription->id))
		subscription->id = 0;
	*token = query.token;
	return result;
}

static enum result respond_not_valid(struct exchange *exchange)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	exchange->error = (struct error){ 0 };
	page_problem_of_public_page(exchange);
	return respond(exchange, 404, said(exchange, SAY_LINK_NOT_VALID), &html);
}

/* Uses the design of the page only if the request has the page's present slug. A former slug may
 * now belong to a page of another account, which may have a script. */
static void set_design(struct exchange *exchange, const struct status_page *page)
{
	if (page->slug && strcmp(page->slug, exchange->match.params[0]) == 0)
		page_problem_of_public_page(exchange);
	if (page->language)
		exchange->language = page->language;
}

static enum result respond_subscription(struct exchange *exchange,
					const struct subscription *subscription, const char *token,
					bool is_saved)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	const struct subscriber *subscriber = &subscription->subscriber;
	set_design(exchange, &subscription->page);
	const struct subscription_view view = {
		.token = token,
		.address = subscriber->address,
		.is_confirmed = subscriber->confirmed_at.s > 0 && subscriber->suspended_at.s == 0,
		.is_saved = is_saved,
		.secret = subscription->secret,
		.public_key = subscription->public_key,
		.systems = systems_of(exchange, subscription->systems, subscription->system_count,
				      &subscriber->monitor_ids),
		.count = subscription->system_count,
	};
	subscription_html(&html, words_of_language(exchange->language), &view, &exchange->arena);
	return respond(exchange, 200, said(exchange, SAY_SUBSCRIPTION), &html);
}

enum result page_subscription_show(struct exchange *exchange)
{
	struct subscription subscription = { 0 };
	const char *token = "";
	enum result result = read_link(exchange, &subscription, &token);
	if (result == OK && subscription.id > 0)
		result = service_show_subscription(&exchange->service, &subscription);
	if (result == E_NOT_FOUND || (result == OK && subscription.id == 0))
		return respond_not_valid(exchange);
	return result == OK ? respond_subscription(exchange, &subscription, token, false) : result;
}

static enum result respond_ended(struct exchange *exchange, const struct subscription *subscription)
{
	struct buf html CLEANUP(buf_done) = BUF_INIT(CONTENT_MAX_BYTES);
	set_design(exchange, &subscription->page);
	words_put_element(&html, words_of_language(exchange->language), "p", SAY_UNSUBSCRIBED_TEXT);
	return respond(exchange, 200, said(exchange, SAY_UNSUBSCRIBED), &html);
}

enum result page_subscription_change(struct exchange *exchange)
{
	struct subscription subscription = { 0 };
	struct input input = { 0 };
	struct field_set sent;
	const char *token = "";
	enum result result = exchange_body(exchange, &input, &sent);
	if (result == OK && exchange->violations.count > 0)
		result = E_INVALID;
	if (result == OK)
		result = read_link(exchange, &subscription, &token);
	if (result != OK)
		return result;
	if (subscription.id == 0)
		return respond_not_valid(exchange);
	struct service *service = exchange_service(exchange, NULL, NULL);
	bool ends = input.action == ACTION_END ||
		    (input.one_click && strcmp(input.one_click, "One-Click") == 0);
	if (ends)
		result = service_end_subscription(service, &subscription);
	else if (input.action == ACTION_CONFIRM)
		result = service_confirm_subscription(service, &subscription);
	else if (input.action == ACTION_SAVE)
		result = service_change_subscription(service, &input.monitor_ids, &subscription);
	else
		return E_INVALID;
	if (result == E_NOT_FOUND)
		return respond_not_valid(exchange);
	if (result != OK)
		return result;
	return ends ? respond_ended(exchange, &subscription)
		    : respond_subscription(exchange, &subscription, token, true);
}
