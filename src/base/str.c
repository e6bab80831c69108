#include "base/str.h"

#include <string.h>
#include <strings.h>
#include <unictype.h>
#include <unistr.h>

struct str str_from(const char *text)
{
	return (struct str){ text ? text : "", text ? strlen(text) : 0 };
}

bool str_eq(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

bool str_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

int str_place(const char *const *texts, struct str text)
{
	for (int i = 0; texts[i]; i++)
		if (str_eq(text, str_from(texts[i])))
			return i;
	return -1;
}

int str_compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool str_eq_nocase(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || strncasecmp(a.data, b.data, a.len) == 0);
}

void str_to_lower(char *text)
{
	for (; *text; text++)
		if (*text >= 'A' && *text <= 'Z')
			*text = (char)(*text - 'A' + 'a');
}

bool str_starts(struct str text, struct str prefix)
{
	return text.len >= prefix.len && str_eq((struct str){ text.data, prefix.len }, prefix);
}

struct str str_skip(struct str text, size_t count)
{
	if (count >= text.len)
		return (struct str){ text.data ? text.data + text.len : NULL, 0 };
	return (struct str){ text.data + count, text.len - count };
}

struct str str_skip_mark(struct str text)
{
	static const struct str mark = { "\xef\xbb\xbf", 3 };
	return str_starts(text, mark) ? str_skip(text, mark.len) : text;
}

size_t str_char_len(const char *at)
{
	size_t len = 1;
	while ((at[len] & 0xc0) == 0x80)
		len++;
	return len;
}

struct str str_cut(struct str text, size_t most)
{
	if (text.len <= most)
		return text;
	while (most > 0 && (text.data[most] & 0xc0) == 0x80)
		most--;
	return (struct str){ text.data, most };
}

bool str_split(struct str *rest, char separator, struct str *item)
{
	if (!rest->data)
		return false;
	const char *end = rest->len > 0 ? memchr(rest->data, separator, rest->len) : NULL;
	if (!end) {
		*item = *rest;
		*rest = (struct str){ 0 };
		return true;
	}
	*item = (struct str){ rest->data, (size_t)(end - rest->data) };
	*rest = str_skip(*rest, item->len + 1);
	return true;
}

struct str str_trim_ows(struct str text)
{
	while (text.len > 0 && (text.data[0] == ' ' || text.data[0] == '\t'))
		text = str_skip(text, 1);
	while (text.len > 0 && (text.data[text.len - 1] == ' ' || text.data[text.len - 1] == '\t'))
		text.len--;
	return text;
}

static bool is_blank(ucs4_t c)
{
	const ucs4_t zero_width_space = 0x200b, byte_order_mark = 0xfeff;
	return uc_is_property_white_space(c) || c == zero_width_space || c == byte_order_mark;
}

struct str str_trim(struct str text)
{
	if (text.len == 0)
		return text;
	const uint8_t *start = (const uint8_t *)text.data;
	const uint8_t *end = start + text.len;
	ucs4_t c;
	while (start < end) {
		int len = u8_mbtoucr(&c, start, (size_t)(end - start));
		if (len <= 0 || !is_blank(c))
			break;
		start += len;
	}
	while (start < end) {
		const uint8_t *last = end - 1;
		while (last > start && end - last < 4 && (*last & 0xc0) == 0x80)
			last--;
		int len = u8_mbtoucr(&c, last, (size_t)(end - last));
		if (len != end - last || !is_blank(c))
			break;
		end = last;
	}
	return (struct str){ (const char *)start, (size_t)(end - start) };
}

bool str_is_text(struct str text)
{
	return text.len == 0 || (!memchr(text.data, '\0', text.len) &&
				 !u8_check((const uint8_t *)text.data, text.len));
}

size_t str_chars(struct str text)
{
	return text.len == 0 ? 0 : u8_mbsnlen((const uint8_t *)text.data, text.len);
}

bool str_to_int64(struct str text, int64_t *value)
{
	bool is_negative = text.len > 0 && text.data[0] == '-';
	struct str digits = str_skip(text, is_negative ? 1 : 0);
	if (digits.len == 0 || digits.len > 19 || (digits.data[0] == '0' && text.len > 1))
		return false;
	uint64_t sum = 0;
	for (size_t i = 0; i < digits.len; i++) {
		if (digits.data[i] < '0' || digits.data[i] > '9')
			return false;
		sum = sum * 10 + (uint64_t)(digits.data[i] - '0');
	}
	if (sum > (uint64_t)INT64_MAX)
		return false;
	*value = is_negative ? -(int64_t)sum : (int64_t)sum;
	return true;
}

int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}
