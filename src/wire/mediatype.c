#include "wire/mediatype.h"

#include <string.h>

/* RFC 9110 section 5.6.2 */
static bool is_token_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_token(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!is_token_char(text.data[i]))
			return false;
	return text.len > 0;
}

struct str header_value(struct str header, struct header_params *params)
{
	struct str rest = header;
	struct str value = { 0 };
	str_split(&rest, ';', &value);
	*params = (struct header_params){ .rest = rest };
	return str_trim_ows(value);
}

/* Removes a quoted string from the front of *rest, and stores its value in param->storage. */
static bool take_quoted(struct str *rest, struct header_param *param)
{
	size_t len = 0;
	size_t i = 1;
	for (; i < rest->len && rest->data[i] != '"'; i++) {
		char c = rest->data[i];
		bool is_escape = c == '\\' && i + 1 < rest->len &&
				 (rest->data[i + 1] == '"' || rest->data[i + 1] == '\\');
		if (is_escape)
			c = rest->data[++i];
		if (len == sizeof(param->storage) || c == '\r' || c == '\n')
			return false;
		param->storage[len++] = c;
	}
	if (i >= rest->len)
		return false;
	*rest = str_trim_ows(str_skip(*rest, i + 1));
	param->value = (struct str){ param->storage, len };
	return rest->len == 0 || rest->data[0] == ';';
}

static bool is_lenient_char(char c)
{
	return (unsigned char)c > ' ' && c != '"' && c != ';' && c != 0x7f;
}

/* Removes a value without quotes from the front of *rest, and stores it in param->storage. */
static bool take_bare(struct str *rest, bool is_lenient, struct header_param *param)
{
	size_t len = 0;
	while (len < rest->len && len < sizeof(param->storage) &&
	       (is_lenient ? is_lenient_char(rest->data[len]) : is_token_char(rest->data[len])))
		len++;
	memcpy(param->storage, rest->data, len);
	param->value = (struct str){ param->storage, len };
	*rest = str_trim_ows(str_skip(*rest, len));
	return rest->len == 0 || rest->data[0] == ';';
}

bool header_next_param(struct header_params *params, struct header_param *param)
{
	struct str rest = str_trim_ows(params->rest);
	/* Skip extra semicolons: some clients send "form-data; name=a;". */
	while (rest.len > 0 && rest.data[0] == ';')
		rest = str_trim_ows(str_skip(rest, 1));
	if (rest.len == 0)
		return false;

	size_t name_len = 0;
	while (name_len < rest.len && is_token_char(rest.data[name_len]))
		name_len++;
	param->name = (struct str){ rest.data, name_len };
	rest = str_trim_ows(str_skip(rest, name_len));
	if (name_len == 0 || rest.len == 0 || rest.data[0] != '=') {
		params->is_malformed = true;
		return false;
	}
	rest = str_trim_ows(str_skip(rest, 1));
	param->value = (struct str){ param->storage, 0 };
	if (rest.len > 0 && !(rest.data[0] == '"' ? take_quoted(&rest, param)
						  : take_bare(&rest, params->is_lenient, param))) {
		params->is_malformed = true;
		return false;
	}
	params->rest = rest;
	return true;
}

static bool is_media_type(struct str type)
{
	struct str rest = type, main_type = { 0 }, subtype = { 0 };
	return str_split(&rest, '/', &main_type) && str_split(&rest, '/', &subtype) && !rest.data &&
	       is_token(main_type) && is_token(subtype);
}

/* Accepts the boundaries of RFC 2046 section 5.1.1, and others that clients send. Rejects control
 * characters, and a space at the end. */
static bool is_boundary(struct str boundary)
{
	if (boundary.len < 1 || boundary.len > WIRE_BOUNDARY_MAX_BYTES ||
	    boundary.data[boundary.len - 1] == ' ')
		return false;
	for (size_t i = 0; i < boundary.len; i++)
		if ((unsigned char)boundary.data[i] < ' ' || boundary.data[i] == 0x7f)
			return false;
	return true;
}

static bool find_boundary(struct header_params *params, char boundary[WIRE_BOUNDARY_MAX_BYTES + 1])
{
	struct header_param param;
	size_t found = 0;
	params->is_lenient = true;
	while (header_next_param(params, &param)) {
		if (!str_eq_nocase(param.name, STR("boundary")))
			continue;
		if (++found > 1 || !is_boundary(param.value))
			return false;
		memcpy(boundary, param.value.data, param.value.len);
		boundary[param.value.len] = '\0';
	}
	return found == 1 && !params->is_malformed;
}

void mediatype_parse(struct str header, struct mediatype *mediatype)
{
	struct header_params params;
	struct str type = header_value(header, &params);
	*mediatype = (struct mediatype){ .type = BODY_OTHER };
	if (str_trim_ows(header).len == 0)
		mediatype->type = BODY_NONE;
	else if (!is_media_type(type) || header.len > WIRE_HEADER_MAX_BYTES)
		mediatype->type = BODY_OTHER;
	else if (str_eq_nocase(type, STR("application/x-www-form-urlencoded")))
		mediatype->type = BODY_URLENCODED;
	else if (str_eq_nocase(type, STR("application/json")))
		mediatype->type = BODY_JSON;
	else if (str_eq_nocase(type, STR("multipart/form-data")))
		mediatype->type = find_boundary(&params, mediatype->boundary) ? BODY_MULTIPART
									      : BODY_MALFORMED;
}
