#include "app/page_host.h"

#include <string.h>

#include "domain/domain_name.h"
#include "domain/status_page.h"
#include "domain/web_url.h"
#include "publish/gate.h"
#include "wire/json.h"

/* The slug of the page whose domain it is; NULL when it is no page's. */
static const char *slug_of(struct exchange *exchange, const char *domain)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	if (pages_dir_open(&dir, exchange->config->pages_dir, &exchange->error) != OK)
		return NULL;
	return pages_dir_read(&dir, PAGES_HOST, domain, GATE_HOST_FILE, STATUS_PAGE_SLUG_MAX,
			      &exchange->arena);
}

/* The request's path, below the page that has this domain. */
static enum result go_below_page(struct exchange *exchange, const char *slug)
{
	struct request *request = &exchange->request;
	if (request->segment_count + 2 > REQUEST_SEGMENTS_MAX)
		return E_MISSING;
	memmove(request->segments + 2, request->segments,
		request->segment_count * sizeof(*request->segments));
	request->segments[0] = "s";
	request->segments[1] = slug;
	/* The root has its slash, whatever the path looked like. */
	request->has_final_slash |= request->segment_count == 0;
	request->segment_count += 2;
	exchange->is_page_domain = true;
	return OK;
}

static bool asks_for_page(const struct request *request)
{
	return request->segment_count == 0 || strcmp(request->segments[0], "s") == 0;
}

enum result page_host_resolve(struct exchange *exchange)
{
	struct arena *arena = &exchange->arena;
	const char *base_url = exchange->config->base_url;
	/* Addresses and names without a dot are no page's: ways to the installation itself. */
	const char *host = domain_name_ascii(arena, exchange->request.host);
	const char *own = base_url ? web_url_host(arena, base_url) : NULL;
	if (!host || (own && strcmp(host, own) == 0))
		return OK;
	const char *slug = slug_of(exchange, host);
	if (slug)
		return go_below_page(exchange, slug);
	return own && asks_for_page(&exchange->request) ? E_MISSING : OK;
}

struct check_input {
	const char *domain;
};
static const struct field check_rows[] = {
	FIELD(struct check_input, domain, .flags = FIELD_REQUIRED, .max_chars = 1024),
};
const struct fields page_host_check_fields = { check_rows, ARRAY_LEN(check_rows) };

enum result page_host_check(struct exchange *exchange)
{
	struct check_input input = { 0 };
	enum result result = exchange_query(exchange, &input);
	if (result != OK)
		return result;
	const char *domain = domain_name_ascii(&exchange->arena, input.domain);
	if (!domain || !slug_of(exchange, domain))
		return E_MISSING;
	struct json_object *body = json_object_tree();
	json_put_text(body, "domain", domain);
	json_put_int(body, "status", 200);
	response_json(&exchange->response, 200, body);
	return OK;
}
