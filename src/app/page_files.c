#include "app/page_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts "
	"allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

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

static enum result show(struct exchange *exchange, const char *slug, const char *name)
{
	const char *type = type_of(name);
	struct pages_dir dir CLEANUP(pages_dir_close);
	enum result result = pages_dir_open(&dir, exchange->config->pages_dir, &exchange->error);
	if (result != OK)
		return result;
	/* Both are single path segments; one that leads elsewhere is nobody's page. */
	if (!type || slug[0] == '.' || strchr(slug, '/'))
		return E_MISSING;
	int fd = pages_dir_open_file(&dir, true, slug, name);
	if (fd < 0)
		return E_MISSING;
	result = send_file(exchange, fd);
	close(fd);
	if (result != OK)
		return result;
	exchange->response.content_type = type;
	response_header(&exchange->response, "Content-Security-Policy", "%s", policy);
	response_header(&exchange->response, "Referrer-Policy", "no-referrer");
	response_header(&exchange->response, "Cache-Control", "%s",
			is_immutable(name) ? "public, max-age=31536000, immutable"
					   : "public, max-age=0, s-maxage=5, "
					     "stale-while-revalidate=30, stale-if-error=86400");
	return OK;
}

enum result page_files_index(struct exchange *exchange)
{
	const char *slug = exchange->match.params[0];
	enum result result = show(exchange, slug, "index.html");
	if (result != OK || exchange->request.has_final_slash)
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
