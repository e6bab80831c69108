#include "app/page_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/page_gate.h"
#include "publish/pages_dir.h"

static const struct {
	const char *extension;
	const char *type;
} types[] = {
	{ ".html", "text/html; charset=utf-8" },
	{ ".css", "text/css; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".json", "application/json" },
	{ ".atom", "application/atom+xml; charset=utf-8" },
	{ ".svg", "image/svg+xml; charset=utf-8" },
	{ ".png", "image/png" },
	{ ".jpg", "image/jpeg" },
	{ ".gif", "image/gif" },
	{ ".webp", "image/webp" },
	{ ".ico", "image/x-icon" },
};

/* As in conf/nginx.conf. A page runs in an origin of its own: what it holds is
 * its tenant's, and the host's cookies and other pages are not. */
static const char policy[] =
	"default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; "
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
static const char sandbox[] = "; sandbox allow-scripts allow-popups "
			      "allow-popups-to-escape-sandbox "
			      "allow-top-navigation-by-user-activation";

static const char *type_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].extension, dot) == 0)
			return types[i].type;
	return NULL;
}

static enum result send_file(struct exchange *exchange, int fd)
{
	char piece[65536];
	ssize_t len;
	struct stat status;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		return E_MISSING;
	while ((len = read(fd, piece, sizeof(piece))) > 0)
		buf_add(&exchange->response.body, piece, (size_t)len);
	if (len < 0 || !buf_ok(&exchange->response.body))
		return error_log(&exchange->error, E_FAILED, "a published file cannot be read");
	return OK;
}

/* Names with a hash in them change with their content. */
static bool is_immutable(const char *name)
{
	return strncmp(name, "logo-", 5) == 0 || strncmp(name, "favicon-", 8) == 0 ||
	       strncmp(name, "page-", 5) == 0;
}

/* The file of a page, and whether the page is public. -1: there is none to be seen. */
static enum result open_behind_gate(struct exchange *exchange, const struct pages_dir *dir,
				    const char *slug, const char *name, enum gate_answer *answer,
				    int *fd)
{
	struct gate gate;
	*fd = -1;
	*answer = GATE_CLOSED;
	if (!gate_read(dir, slug, &exchange->arena, &gate))
		return OK;
	enum result result = page_gate_check(exchange, dir, &gate, slug, answer);
	if (result == OK && *answer == GATE_OPEN)
		*fd = pages_dir_open_file(dir, false, slug, name);
	return result;
}

static void set_headers(struct exchange *exchange, const char *name, bool is_public)
{
	struct response *response = &exchange->response;
	response->content_type = type_of(name);
	response_header(response, "Referrer-Policy", "no-referrer");
	/* Behind a gate the page keeps its origin: in an opaque one its cookie would not
	 * travel with its own files. Nothing of its tenant's runs there. */
	response_header(response, "Content-Security-Policy", "%s%s", policy,
			is_public ? sandbox : "");
	if (is_public)
		response_header(response, "Cache-Control", "%s",
				is_immutable(name) ? "public, max-age=31536000, immutable"
						   : "public, max-age=0, s-maxage=5, "
						     "stale-while-revalidate=30, "
						     "stale-if-error=86400");
}

static enum result show(struct exchange *exchange, const char *slug, const char *name)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	enum gate_answer answer = GATE_OPEN;
	bool is_page = strcmp(name, "index.html") == 0;
	enum result result = pages_dir_open(&dir, exchange->config->pages_dir, &exchange->error);
	if (result != OK)
		return result;
	int fd = -1;
	/* Both are single path segments; one that leads elsewhere is nobody's page. */
	bool is_sane = type_of(name) && slug[0] != '.' && !strchr(slug, '/');
	if (is_sane)
		fd = pages_dir_open_file(&dir, true, slug, name);
	bool is_public = fd >= 0;
	if (is_sane && !is_public)
		result = open_behind_gate(exchange, &dir, slug, name, &answer, &fd);
	if (result != OK || answer == GATE_MOVED)
		return result;
	if (answer == GATE_ASKS && is_page)
		page_gate_ask(exchange, NULL);
	else if (fd < 0)
		page_gate_missing(exchange);
	if (fd < 0)
		return OK;
	result = send_file(exchange, fd);
	close(fd);
	if (result == OK)
		set_headers(exchange, name, is_public);
	return result;
}

enum result page_files_index(struct exchange *exchange)
{
	const char *slug = exchange->match.params[0];
	enum result result = show(exchange, slug, "index.html");
	if (result != OK || exchange->request.has_final_slash || exchange->response.status != 200)
		return result;
	buf_clear(&exchange->response.body);
	exchange->response.status = 308;
	response_header(&exchange->response, "Location", "%s/s/%s/", exchange->request.base_url, slug);
	return OK;
}

enum result page_files_show(struct exchange *exchange)
{
	return show(exchange, exchange->match.params[0], exchange->match.params[1]);
}
