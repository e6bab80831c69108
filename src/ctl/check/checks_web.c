/*
 * Checks what visitors get from the web server, by requests to base_url. The service must respond,
 * and nobody may be able to fetch private files of the pages folder.
 */
#include <string.h>
#include <unistd.h>

#include "access/password_strength.h"
#include "access/totp.h"
#include "ctl/check/checks.h"
#include "publish/folder/pages_dir.h"
#include "publish/page/page_state.h"
#include "view/console/qr_code.h"
#include "wire/http_client.h"

enum { TIMEOUT_S = 10, RESPONSE_MAX = 16 << 20 };

struct visit {
	struct ctl *ctl;
	struct http_client *client;
	struct pages_dir dir;
};

static enum result fetch(const struct visit *visit, const char *path,
			 struct http_client_response *response, struct error *error)
{
	struct ctl *ctl = visit->ctl;
	const struct http_client_request request = {
		.method = "GET",
		.url = arena_printf(&ctl->arena, "%s%s", ctl->config.base_url, path),
		.timeout_s = TIMEOUT_S,
		.response_max = RESPONSE_MAX,
	};
	return http_client_send(visit->client, &request, &ctl->arena, response, error);
}

static struct check check_ready(const struct visit *visit)
{
	struct ctl *ctl = visit->ctl;
	struct http_client_response response = { 0 };
	enum result result = fetch(visit, "/readyz", &response, &ctl->error);
	if (result != OK)
		return check_fault(ctl,
				   "start the web server, and check base_url, DNS, the "
				   "certificate and the firewall",
				   "%s", arena_strdup(&ctl->arena, error_text(&ctl->error)));
	if (response.status == 200)
		return (struct check){ OK, "the service responds, and is ready" };
	return check_fault(ctl,
			   response.status == 503
				   ? "see the log of the service"
				   : "compare the web server's configuration with conf/",
			   "%s/readyz responds %d", ctl->config.base_url, response.status);
}

/* Returns whether the web server responds to the path with the content of the file. */
static bool gives_away(const struct visit *visit, const char *path, const char *content)
{
	struct http_client_response response = { 0 };
	struct error ignored = { 0 };
	return content && content[0] && fetch(visit, path, &response, &ignored) == OK &&
	       response.status == 200 && str_eq(response.body, str_from(content));
}

/* Returns the content of the file `name` in a page's folder; NULL: the file cannot be read. */
static const char *content_of(const struct visit *visit, enum pages_place place, const char *folder,
			      const char *name)
{
	const char *text = NULL;
	struct error ignored = { 0 };
	if (pages_dir_load(&visit->dir, place, folder, name, RESPONSE_MAX, &visit->ctl->arena,
			   &text, &ignored) != OK)
		return NULL;
	return text;
}

/* Requests some paths at which a misconfigured web server sends the file. Returns the first path
 * at which this server sends it; NULL: none. */
static const char *leak_of(const struct visit *visit, enum pages_place place, const char *name)
{
	struct arena *arena = &visit->ctl->arena;
	const char *folder = checks_first_folder(visit->ctl, &visit->dir, place);
	const char *content = folder ? content_of(visit, place, folder, name) : NULL;
	if (!content)
		return NULL;
	const char *const paths[] = {
		arena_printf(arena, "/%s/%s/%s", pages_place_name(place), folder, name),
		arena_printf(arena, "/pages/%s/%s/%s", pages_place_name(place), folder, name),
		arena_printf(arena, "/s/../%s/%s/%s", pages_place_name(place), folder, name),
		arena_printf(arena, "/s/%s/%s", folder, name),
	};
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (gives_away(visit, paths[i], content))
			return paths[i];
	return NULL;
}

static struct check check_leaks(const struct visit *visit)
{
	struct ctl *ctl = visit->ctl;
	const char *leak = leak_of(visit, PAGES_PRIVATE, PAGE_FIRST_FILE);
	if (!leak)
		leak = leak_of(visit, PAGES_STATE, PAGE_STATE_FILE);
	if (leak)
		return check_fault(ctl,
				   "the web server may read only the folders public and "
				   "noindex: compare "
				   "its configuration with conf/",
				   "anyone can fetch %s%s", ctl->config.base_url, leak);
	return (struct check){ OK, "files that are not public cannot be fetched" };
}

/* Returns the name of the first public page whose file can be read, and sets *content to the file's
 * content. NULL: none. checks_of_page_files() reports the unreadable files. */
static const char *readable_page(const struct visit *visit, const char **content)
{
	struct pages_names folders = { 0 };
	struct error ignored = { 0 };
	if (pages_dir_folders(&visit->dir, PAGES_PUBLIC, &visit->ctl->arena, &folders, &ignored) !=
	    OK)
		return NULL;
	for (size_t i = 0; i < folders.count; i++) {
		*content = content_of(visit, PAGES_PUBLIC, folders.names[i], PAGE_FIRST_FILE);
		if (*content)
			return folders.names[i];
	}
	return NULL;
}

/* Compares the page that visitors get with the published file. */
static struct check check_page(const struct visit *visit, const char *slug, const char *content)
{
	struct ctl *ctl = visit->ctl;
	const char *path = arena_printf(&ctl->arena, "/s/%s/", slug);
	if (gives_away(visit, path, content))
		return (struct check){
			OK, arena_printf(&ctl->arena, "visitors get the published file of %s", slug)
		};
	return check_fault(
		ctl,
		"compare the web server's configuration with conf/, and let its user enter "
		"the pages folder and read public and noindex",
		"%s%s is not the published file", ctl->config.base_url, path);
}

/* Adds the checks. Returns whether visitors get a public page. If they do, the web server can read
 * the files. */
static bool run_checks(struct visit *visit, struct checks *checks)
{
	struct check ready = check_ready(visit);
	checks_add(checks, "web server", ready);
	if (ready.result != OK ||
	    pages_dir_open(&visit->dir, visit->ctl->config.pages_dir, &visit->ctl->error) != OK)
		return false;
	const char *content = NULL, *slug = readable_page(visit, &content);
	struct check page = { .result = E_NOT_FOUND };
	if (slug) {
		page = check_page(visit, slug, content);
		checks_add(checks, "public by web", page);
	}
	checks_add(checks, "private by web", check_leaks(visit));
	return page.result == OK;
}

/* Checks that browsers reach the console by HTTPS, or on this machine. Otherwise passwords and
 * sessions cross the network without encryption. */
static struct check check_console(struct ctl *ctl)
{
	static const char *const safe[] = { "https://", "http://127.0.0.1", "http://localhost" };
	const char *base_url = config_console_base(&ctl->config, ctl->config.base_url);
	for (size_t i = 0; base_url && i < ARRAY_LEN(safe); i++)
		if (strncmp(base_url, safe[i], strlen(safe[i])) == 0)
			return (struct check){ OK, "people sign in below /console/" };
	return check_warning(ctl, "serve the console by HTTPS, and set base_url",
			     "%s does not begin with https://: the network can read %s, "
			     "and the cookies of sessions have no prefix __Host-",
			     ctl->config.console_url ? "[console] url" : "base_url",
			     ctl->config.has_sso ? "the sessions of single sign-on" : "passwords");
}

/* Warns of a setup token: a person who learns it can become an owner of any account. */
static struct check check_setup_token(struct ctl *ctl)
{
	const char *path = ctl->config.setup_token;
	if (access(path, F_OK) != 0)
		return (struct check){ OK, "there is no file setup.token" };
	return check_warning(ctl, arena_printf(&ctl->arena, "rm %s", path),
			     "%s makes its next user an owner of any account: delete it, unless "
			     "you are about to use it",
			     path);
}

/* Checks that the console's libraries are installed. Without them some screens respond with 500. */
static struct check check_libraries(struct ctl *ctl)
{
	struct buf picture CLEANUP(buf_done) = BUF_INIT(1 << 16);
	const char *secret;
	bool is_common;
	enum result result = password_is_common("", "", &is_common, &ctl->error);
	if (result == OK)
		result = totp_make_secret(&ctl->arena, &secret, &ctl->error);
	if (result == OK)
		result = qr_code_svg(&picture, secret, "", &ctl->error);
	if (result != OK)
		return check_fault(
			ctl,
			"install liboath, libqrencode and libzxcvbn (on Debian liboath0, "
			"libqrencode4 and libzxcvbn0)",
			"%s", arena_strdup(&ctl->arena, ctl->error.log));
	return (struct check){ OK, "they can be loaded" };
}

bool checks_of_web_server(struct ctl *ctl, struct checks *checks)
{
	struct visit visit = { .ctl = ctl, .dir = PAGES_DIR_CLOSED };
	const char *reason = NULL;
	if (ctl->config.has_console) {
		checks_add(checks, "console", check_console(ctl));
		checks_add(checks, "console libraries", check_libraries(ctl));
		checks_add(checks, "setup token", check_setup_token(ctl));
	}
	if (ctl_option(ctl, "offline"))
		reason = "--offline";
	else if (!ctl->config.base_url)
		reason = "base_url is not set";
	else if (config_is_mirror(&ctl->config))
		reason = "base_url belongs to the origin, which another machine may serve";
	else if (http_client_open(&visit.client, NULL, &ctl->error) != OK)
		reason = arena_strdup(&ctl->arena, error_text(&ctl->error));
	if (reason)
		checks_add(checks, "web server", (struct check){ OK, reason, .is_skipped = true });
	bool is_shown = !reason && run_checks(&visit, checks);
	pages_dir_close(&visit.dir);
	http_client_close(visit.client);
	return is_shown;
}
