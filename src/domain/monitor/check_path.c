#include "domain/monitor/check_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct str check_path_begin(const char *path)
{
	struct str rest = str_from(path);
	bool has_root = rest.len > 1 && rest.data[0] == '$' && strchr(".[", rest.data[1]);
	rest = str_skip(rest, has_root);
	return has_root && rest.data[0] == '.' ? str_skip(rest, 1) : rest;
}

static size_t length_until(struct str text, const char *ends)
{
	size_t len = 0;
	while (len < text.len && !strchr(ends, text.data[len]))
		len++;
	return len;
}

static bool take_index(struct str *rest, struct check_path_step *step)
{
	int64_t index;
	size_t len = length_until(*rest, "]");
	if (len == rest->len || !str_to_int64((struct str){ rest->data + 1, len - 1 }, &index) ||
	    index < 0)
		return false;
	step->index = (size_t)index;
	*rest = str_skip(*rest, len + 1);
	return true;
}

static bool take_name(struct str *rest, struct check_path_step *step)
{
	step->name = (struct str){ rest->data, length_until(*rest, ".[]") };
	*rest = str_skip(*rest, step->name.len);
	return step->name.len > 0;
}

/* Removes the dot before a name. An index in brackets has no dot before it. */
static bool take_separator(struct str *rest)
{
	if (rest->len == 0 || rest->data[0] == '[')
		return true;
	bool is_dot = rest->data[0] == '.' && rest->len > 1 && rest->data[1] != '[';
	*rest = str_skip(*rest, is_dot);
	return is_dot;
}

bool check_path_next(struct str *rest, struct check_path_step *step)
{
	*step = (struct check_path_step){ 0 };
	if (rest->len == 0)
		return false;
	bool is_index = rest->data[0] == '[';
	return (is_index ? take_index(rest, step) : take_name(rest, step)) && take_separator(rest);
}

bool check_path_is_valid(const char *path)
{
	struct str rest = check_path_begin(path);
	struct check_path_step step;
	bool is_valid = false;
	while (rest.len > 0) {
		is_valid = check_path_next(&rest, &step);
		if (!is_valid)
			break;
	}
	return is_valid;
}

bool check_number_read(const char *text, double *number)
{
	char *end;
	/* strtod() would also accept blanks, hexadecimal digits, "inf" and "nan". */
	if (*text == '\0' || strspn(text, "0123456789+-.eE") < strlen(text))
		return false;
	*number = strtod(text, &end);
	return *end == '\0' && isfinite(*number);
}
