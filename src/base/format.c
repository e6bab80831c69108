#include "base/format.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

struct target {
	char *to;
	size_t room;
	size_t len; /* of the whole text, also behind the room */
};

static void put(struct target *target, const char *data, size_t len)
{
	size_t left = target->len < target->room ? target->room - target->len : 0;
	if (len > 0 && left > 0)
		memcpy(target->to + target->len, data, len < left ? len : left);
	target->len += len;
}

/* The flags, width, precision and length between "%" and the letter of a conversion. */
struct conversion {
	size_t zeros;  /* digits at least */
	int precision; /* -1: none */
	enum { SIZE_INT, SIZE_LONG, SIZE_LONG_LONG, SIZE_SIZE } size;
};

static int read_number(const char **at)
{
	int number = 0;
	while (**at >= '0' && **at <= '9' && number < 1000)
		number = 10 * number + (*(*at)++ - '0');
	return number;
}

/* False: vsnprintf() knows it. */
static bool read_conversion(const char **at, struct conversion *conversion, va_list *args)
{
	*conversion = (struct conversion){ .precision = -1 };
	if (**at == '0') {
		++*at;
		conversion->zeros = (size_t)read_number(at);
	}
	if (**at == '.' && (*at)[1] == '*') {
		*at += 2;
		conversion->precision = va_arg(*args, int);
	} else if (**at == '.') {
		++*at;
		conversion->precision = read_number(at);
	}
	if (**at == 'z') {
		++*at;
		conversion->size = SIZE_SIZE;
	} else if (**at == 'l') {
		conversion->size = (*at)[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG;
		*at += conversion->size == SIZE_LONG_LONG ? 2 : 1;
	}
	bool is_number = **at == 'd' || **at == 'u';
	if (is_number)
		return conversion->precision < 0 && conversion->zeros < 20;
	return **at == 's' && conversion->zeros == 0 && conversion->size == SIZE_INT;
}

static int64_t take_signed(const struct conversion *conversion, va_list *args)
{
	switch (conversion->size) {
	case SIZE_LONG:
		return va_arg(*args, long);
	case SIZE_LONG_LONG:
		return va_arg(*args, long long);
	case SIZE_SIZE:
		return va_arg(*args, ssize_t);
	default:
		return va_arg(*args, int);
	}
}

static uint64_t take_unsigned(const struct conversion *conversion, va_list *args)
{
	switch (conversion->size) {
	case SIZE_LONG:
		return va_arg(*args, unsigned long);
	case SIZE_LONG_LONG:
		return va_arg(*args, unsigned long long);
	case SIZE_SIZE:
		return va_arg(*args, size_t);
	default:
		return va_arg(*args, unsigned);
	}
}

static void put_number(struct target *target, const struct conversion *conversion, bool is_negative,
		       uint64_t number)
{
	char text[24], *end = text + sizeof(text), *at = end;
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	/* The sign is part of the width. */
	while ((size_t)(end - at) + is_negative < conversion->zeros)
		*--at = '0';
	if (is_negative)
		*--at = '-';
	put(target, at, (size_t)(end - at));
}

static void put_string(struct target *target, const struct conversion *conversion, const char *text)
{
	if (!text)
		text = "(null)";
	put(target, text,
	    conversion->precision >= 0 ? strnlen(text, (size_t)conversion->precision)
				       : strlen(text));
}

/* Puts the conversion at `*at`, behind its "%". False: vsnprintf() knows it. */
static bool put_conversion(struct target *target, const char **at, va_list *args)
{
	struct conversion conversion;
	if (**at == '%') {
		put(target, "%", 1);
	} else if (**at == 'c') {
		char c = (char)va_arg(*args, int);
		put(target, &c, 1);
	} else if (!read_conversion(at, &conversion, args)) {
		return false;
	} else if (**at == 's') {
		put_string(target, &conversion, va_arg(*args, const char *));
	} else if (**at == 'd') {
		int64_t number = take_signed(&conversion, args);
		put_number(target, &conversion, number < 0,
			   number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
	} else {
		put_number(target, &conversion, false, take_unsigned(&conversion, args));
	}
	++*at;
	return true;
}

int format_text(char *to, size_t room, const char *format, va_list args)
{
	struct target target = { to, room, 0 };
	const char *at = format;
	bool is_simple = true;
	va_list each;
	va_copy(each, args);
	while (is_simple) {
		const char *percent = strchrnul(at, '%');
		put(&target, at, (size_t)(percent - at));
		if (*percent == '\0')
			break;
		at = percent + 1;
		is_simple = put_conversion(&target, &at, &each);
	}
	va_end(each);
	if (!is_simple)
		return vsnprintf(to, room, format, args);
	if (room > 0)
		to[target.len < room ? target.len : room - 1] = '\0';
	return target.len <= INT_MAX ? (int)target.len : -1;
}

const char *percent_format(const struct percent *percent, char text[PERCENT_TEXT_SIZE])
{
	if (percent->is_known)
		snprintf(text, PERCENT_TEXT_SIZE, "%d.%02d", (int)(percent->hundredths / 100),
			 (int)(percent->hundredths % 100));
	else
		snprintf(text, PERCENT_TEXT_SIZE, "null");
	return text;
}
