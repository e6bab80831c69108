#include "wire/json_scan.h"

#include "wire/limits.h"

static const char unpaired_surrogate[] = "an unpaired surrogate";

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Checks a complete \uXXXX. */
static const char *end_code(struct json_scan *scan)
{
	bool is_low = scan->code >= 0xdc00 && scan->code <= 0xdfff;
	if (scan->is_high != is_low)
		return unpaired_surrogate;
	scan->is_high = scan->code >= 0xd800 && scan->code <= 0xdbff;
	scan->has_nul = scan->has_nul || scan->code == 0;
	return NULL;
}

static const char *scan_digit(struct json_scan *scan, char c)
{
	int digit = digit_of(c);
	if (digit < 0)
		return "\\u without four hexadecimal digits";
	scan->code = scan->code * 16 + (unsigned)digit;
	return --scan->digits_left > 0 ? NULL : end_code(scan);
}

static const char *scan_in_string(struct json_scan *scan, char c)
{
	if (scan->digits_left > 0)
		return scan_digit(scan, c);
	if ((unsigned char)c < ' ')
		return "a control character in a string";
	if (scan->is_escaped) {
		scan->is_escaped = false;
		scan->digits_left = c == 'u' ? 4 : 0;
		scan->code = 0;
		return scan->is_high && c != 'u' ? unpaired_surrogate : NULL;
	}
	scan->is_escaped = c == '\\';
	scan->is_in_string = c != '"';
	return scan->is_high && c != '\\' ? unpaired_surrogate : NULL;
}

/* Rejects a point without a digit after it, and a leading zero before another digit. */
static const char *scan_number(struct json_scan *scan, char c)
{
	enum json_number before = scan->number;
	bool is_digit = c >= '0' && c <= '9';
	if (is_digit && before == JSON_ZERO)
		return "a number with a leading zero";
	if (!is_digit && before == JSON_POINT)
		return "a number that ends in a point";
	if (is_digit && before == JSON_NO_NUMBER)
		scan->number = c == '0' ? JSON_ZERO : JSON_DIGITS;
	else if (is_digit)
		scan->number = JSON_DIGITS;
	else if (c == '.')
		scan->number = JSON_POINT;
	else if ((c != 'e' && c != 'E' && c != '+' && c != '-') || before == JSON_NO_NUMBER)
		scan->number = JSON_NO_NUMBER;
	else
		scan->number =
			JSON_DIGITS; /* digits of the exponent, where a leading zero is allowed */
	return NULL;
}

const char *json_scan(struct json_scan *scan, char c)
{
	if (scan->is_in_string)
		return scan_in_string(scan, c);
	const char *violation = scan_number(scan, c);
	if (violation)
		return violation;
	switch (c) {
	case '"':
		scan->is_in_string = true;
		scan->has_nul = false;
		return NULL;
	case ':':
		return scan->has_nul ? "a name with a NUL" : NULL;
	case '\'':
	case 'N':
	case 'I':
		return "a single quote, NaN or Infinity";
	case ',':
		scan->values++;
		return NULL;
	case '{':
	case '[':
		scan->containers++;
		return NULL;
	}
	return NULL;
}

bool json_scan_is_over(const struct json_scan *scan)
{
	return scan->containers > WIRE_JSON_MAX_CONTAINERS || scan->values > WIRE_JSON_MAX_VALUES;
}
