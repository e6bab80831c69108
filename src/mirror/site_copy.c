#include "mirror/site_copy.h"

#include <string.h>

#include "access/signing_key.h"
#include "domain/domain_name.h"
#include "domain/status_page.h"

#define SECRET	    "secret "
#define FORMER	    "former "
#define FORMER_HOST "former-host "

void site_copy_print(struct buf *out, const struct site_copy *site)
{
	buf_printf(out, SECRET "%s\n", site->secret);
	for (size_t i = 0; i < site->count; i++)
		buf_printf(out, "%s%s %lld\n", site->former[i].is_domain ? FORMER_HOST : FORMER,
			   site->former[i].name, (long long)site->former[i].page_id);
}

static bool parse_secret(struct str text, struct arena *arena, struct site_copy *site)
{
	struct signing_key key;
	if (site->secret || !secret_from_hex(text, key.bytes, sizeof(key.bytes)))
		return false;
	site->secret = arena_strndup(arena, text.data, text.len);
	return true;
}

static bool parse_former(struct str text, struct arena *arena, struct site_copy_former *former)
{
	struct str name, id;
	if (!str_split(&text, ' ', &name) || !str_split(&text, ' ', &id) || text.data ||
	    memchr(name.data, '\0', name.len) || !str_to_int64(id, &former->page_id) ||
	    former->page_id < 1)
		return false;
	former->name = arena_strndup(arena, name.data, name.len);
	if (!former->is_domain)
		return status_page_is_slug(former->name);
	const char *ascii = domain_name_ascii(arena, former->name);
	return ascii && strcmp(ascii, former->name) == 0;
}

static bool parse_line(struct str line, struct arena *arena, struct site_copy *site, size_t *room)
{
	if (str_starts(line, STR(SECRET)))
		return parse_secret(str_skip(line, strlen(SECRET)), arena, site);
	bool is_domain = str_starts(line, STR(FORMER_HOST));
	if (!is_domain && !str_starts(line, STR(FORMER)))
		return false;
	site->former = arena_grow(arena, site->former, site->count, room, sizeof(*site->former));
	struct site_copy_former *former = &site->former[site->count++];
	*former = (struct site_copy_former){ .is_domain = is_domain };
	return parse_former(str_skip(line, strlen(is_domain ? FORMER_HOST : FORMER)), arena,
			    former);
}

enum result site_copy_parse(struct str body, struct arena *arena, struct site_copy *site,
			    struct error *error)
{
	size_t room = 0, number = 0;
	*site = (struct site_copy){ 0 };
	while (body.len > 0) {
		const char *end = memchr(body.data, '\n', body.len);
		struct str line = { body.data, end ? (size_t)(end - body.data) : 0 };
		number++;
		if (!end || !parse_line(line, arena, site, &room))
			return error_client(error, E_INVALID,
					    "Line %zu: it is no secret and no former address.",
					    number);
		body = str_skip(body, line.len + 1);
	}
	return site->secret ? OK : error_client(error, E_INVALID, "There is no secret.");
}
