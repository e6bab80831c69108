#include "app/page/page_host.h"

#include <string.h>

#include "app/input.h"
#include "app/page/page_admission.h"
#include "app/page/page_moved.h"
#include "domain/domain_name.h"
#include "domain/page/status_page.h"
#include "http/client_address.h"
#include "publish/page/pages_reader.h"
#include "wire/json.h"

/* Sets *slug to the slug of the page with this domain, or to NULL if no page has the domain. */
static enum result slug_of(struct exchange *exchange, const char *domain, const char **slug)
{
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	*slug = NULL;
	enum result result =
		pages_reader_open(&reader, exchange->config->pages_dir, &exchange->error);
	if (result != OK)
		return result;
	return pages_reader_text(&reader, PAGES_HOST, domain, PAGES_HOST_FILE, STATUS_PAGE_SLUG_MAX,
				 &exchange->arena, slug, &exchange->error);
}

/* Prepends /s/{slug} to the path of the request. */
static enum result go_below_page(struct exchange *exchange, const char *slug)
{
	struct request *request = &exchange->request;
	if (request->segment_count + 2 > REQUEST_SEGMENTS_MAX)
		return E_NOT_FOUND;
	memmove(request->segments + 2, request->segments,
		request->segment_count * sizeof(*request->segments));
	request->segments[0] = "s";
	request->segments[1] = slug;
	/* The root has a final slash even if the request has no path. */
	request->has_final_slash |= request->segment_count == 0;
	request->segment_count += 2;
	exchange->is_page_domain = true;
	return OK;
}

/* At the domain of a page: whether the address belongs to the page. If not, it belongs to the
 * installation. */
static bool is_for_page(const struct request *request)
{
	return !request->is_for_programs ||
	       (request->segment_count > 1 && strcmp(request->segments[0], "api") == 0 &&
		strcmp(request->segments[1], "v2") == 0);
}

static bool asks_for_page(const struct request *request)
{
	return request->segment_count == 0 || strcmp(request->segments[0], "s") == 0 ||
	       (request->is_for_programs && is_for_page(request));
}

/* Whether to respond as if the domain had no page. Returns false for a GET of a file of the page.
 * For other requests, returns true if the page is private, or if its privacy cannot be read. */
static bool is_hidden(struct exchange *exchange, const char *slug)
{
	const struct request *request = &exchange->request;
	bool is_private = true;
	if (strcmp(request->method, "GET") == 0 && is_for_page(request))
		return false;
	return page_admission_is_private(exchange, slug, &is_private) != OK || is_private;
}

enum result page_host_resolve(struct exchange *exchange)
{
	const struct request *request = &exchange->request;
	if (request->is_for_console)
		return request->segment_count > 0 && strcmp(request->segments[0], "console") == 0
			       ? OK
			       : E_NOT_FOUND;
	/* IP addresses and names without a dot are always the installation's. If base_url is not
	 * set, all names are the installation's. */
	const char *host = domain_name_ascii(&exchange->arena, exchange->request.host);
	if (!host || !site_shows(exchange->site, host))
		return OK;
	const char *slug;
	enum result result = slug_of(exchange, host, &slug);
	if (slug && !is_hidden(exchange, slug))
		return go_below_page(exchange, slug);
	if (result == OK && is_for_page(&exchange->request))
		result = page_moved_from_domain(exchange, host, &exchange->is_moved);
	if (exchange->is_moved)
		return E_NOT_FOUND;
	/* Respond to requests for the API, hooks and health even if no page has the domain. */
	if (!asks_for_page(&exchange->request)) {
		exchange->error = (struct error){ 0 };
		return OK;
	}
	return result == OK ? E_NOT_FOUND : result;
}

bool page_host_is_foreign(struct exchange *exchange)
{
	const char *host = domain_name_ascii(&exchange->arena, exchange->request.host);
	return !exchange->is_page_domain && host && site_shows(exchange->site, host);
}

bool page_host_is_among(struct exchange *exchange, const char *list)
{
	struct gateway *gateway = exchange->gateway;
	const char *address = gateway->param(gateway, "REMOTE_ADDR");
	return !gateway->param(gateway, "HTTP_FORWARDED") &&
	       client_address_is_among(list, address ? address : "",
				       gateway->param(gateway, "HTTP_X_FORWARDED_FOR"),
				       &exchange->arena);
}

struct check_input {
	const char *domain;
};
static const struct field check_rows[] = {
	FIELD(struct check_input, domain, .flags = FIELD_REQUIRED, .max_chars = 1024,
	      .text = "The host name to check."),
};
const struct fields page_host_check_fields = { check_rows, ARRAY_LEN(check_rows) };

enum result page_host_check(struct exchange *exchange)
{
	struct check_input input = { 0 };
	if (!page_host_is_among(exchange, exchange->config->internal_clients))
		return error_log(&exchange->error, E_NOT_FOUND, "the client is not internal");
	enum result result = exchange_query(exchange, &input);
	if (result != OK)
		return result;
	const char *domain = domain_name_ascii(&exchange->arena, input.domain);
	const char *slug = NULL;
	bool is_former = false;
	if (site_shows(exchange->site, domain))
		result = slug_of(exchange, domain, &slug);
	if (result == OK && !slug && site_shows(exchange->site, domain))
		result = page_moved_has_domain(exchange, domain, &is_former);
	/* Send no reason: the log has it, and the proxy reads only the status 404. */
	exchange->error.client[0] = '\0';
	if (result != OK || (!slug && !is_former))
		return E_NOT_FOUND;
	struct json_object *body = json_object_tree();
	json_put_text(body, "domain", domain);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
	return OK;
}

/*
 * The Content-Security-Policy of pages, on the shared host and on a page's own domain. The web
 * servers' configurations have the same policies, and tests/lint compares them.
 *
 * On the shared host, the sandbox makes each page a separate origin: a page's script cannot read
 * the host's cookies or other pages. A page's own domain needs no sandbox. Both policies forbid
 * service workers, because a worker would still run after another page got the address.
 */
static const char shared_policy[] =
	"default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; "
	"script-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'self'; "
	"frame-ancestors 'none'; sandbox allow-scripts allow-forms allow-popups "
	"allow-popups-to-escape-sandbox "
	"allow-top-navigation-by-user-activation";
static const char domain_policy[] =
	"default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; "
	"script-src 'self'; worker-src 'none'; connect-src 'self'; base-uri 'none'; "
	"form-action 'self'; frame-ancestors 'none'";

/* The policy of the widget, which other sites may show in a frame. The widget has no script. */
static const char widget_policy[] =
	"default-src 'none'; img-src 'self' data:; style-src 'self'; base-uri 'none'; "
	"form-action 'none'; frame-ancestors *; sandbox allow-popups "
	"allow-popups-to-escape-sandbox";

const char *page_host_file_policy(const struct exchange *exchange, const char *name)
{
	return strcmp(name, "widget.html") == 0 ? widget_policy : page_host_policy(exchange);
}

const char *page_host_policy(const struct exchange *exchange)
{
	return exchange->is_page_domain ? domain_policy : shared_policy;
}

const char *page_host_base_path(const struct exchange *exchange)
{
	const char *host = strstr(exchange->request.base_url, "://");
	const char *path = host ? strchr(host + 3, '/') : NULL;
	return path ? path : "";
}

const char *page_host_path(struct exchange *exchange, const char *slug)
{
	if (exchange->is_page_domain)
		return "/";
	return arena_printf(&exchange->arena, "%s/s/%s/", page_host_base_path(exchange), slug);
}
