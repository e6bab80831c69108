#include "probe/dns_text.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <ctype.h>
#include <resolv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "base/str.h"

_Static_assert(DNS_NAME_SIZE == NS_MAXDNAME, "the size of a name as text");

/*
 * The number of each record type, and a letter for each part of its data. 4: IPv4 address; 6: IPv6
 * address; n: name; h: 16-bit number; l: 32-bit number; t: all remaining strings; c: flags, tag and
 * value of a CAA record (RFC 8659 section 4.1).
 */
static const struct {
	int number;
	const char *parts;
} types[] = {
	[CHECK_A] = { ns_t_a, "4" },
	[CHECK_AAAA] = { ns_t_aaaa, "6" },
	[CHECK_CNAME] = { ns_t_cname, "n" },
	[CHECK_MX] = { ns_t_mx, "hn" },
	[CHECK_NS] = { ns_t_ns, "n" },
	[CHECK_TXT] = { ns_t_txt, "t" },
	[CHECK_SOA] = { ns_t_soa, "nnlllll" },
	[CHECK_SRV] = { ns_t_srv, "hhhn" },
	[CHECK_CAA] = { 257, "c" },
	[CHECK_PTR] = { ns_t_ptr, "n" },
};

int dns_type_number(enum check_dns type)
{
	return types[type].number;
}

struct data {
	const ns_msg *message;
	const unsigned char *at, *end;
	char *to; /* where the next text is written; to_end is the end of the buffer */
	char *to_end;
};

/* Returns the next `len` bytes of the data, and moves behind them; NULL: the data is shorter. */
static const unsigned char *take_bytes(struct data *data, size_t len)
{
	const unsigned char *bytes = data->at;
	if ((size_t)(data->end - bytes) < len)
		return NULL;
	data->at += len;
	return bytes;
}

static void add(struct data *data, const void *text, size_t len)
{
	size_t room = (size_t)(data->to_end - data->to) - 1;
	len = len < room ? len : room;
	memcpy(data->to, text, len);
	data->to += len;
	*data->to = '\0';
}

static bool add_name(struct data *data)
{
	char name[NS_MAXDNAME];
	int used = dn_expand(ns_msg_base(*data->message), data->end, data->at, name, sizeof(name));
	if (used < 0)
		return false;
	data->at += used;
	str_to_lower(name);
	add(data, name[0] ? name : ".", name[0] ? strlen(name) : 1);
	return true;
}

static bool add_address(struct data *data, int family, size_t len)
{
	char text[INET6_ADDRSTRLEN];
	const unsigned char *bytes = take_bytes(data, len);
	if (!bytes || data->at != data->end || !inet_ntop(family, bytes, text, sizeof(text)))
		return false;
	add(data, text, strlen(text));
	return true;
}

static bool add_number(struct data *data, size_t len)
{
	char text[16];
	const unsigned char *bytes = take_bytes(data, len);
	if (!bytes)
		return false;
	snprintf(text, sizeof(text), "%lu",
		 len == NS_INT32SZ ? ns_get32(bytes) : (unsigned long)ns_get16(bytes));
	add(data, text, strlen(text));
	return true;
}

/* Adds bytes as text. A NUL, which would end the text, becomes "?". */
static void add_bytes(struct data *data, const unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		add(data, bytes[i] ? (const void *)&bytes[i] : "?", 1);
}

static bool add_strings(struct data *data)
{
	while (data->at < data->end) {
		size_t len = *data->at++;
		const unsigned char *bytes = take_bytes(data, len);
		if (!bytes)
			return false;
		add_bytes(data, bytes, len);
	}
	return true;
}

static bool add_caa(struct data *data)
{
	char flags[16];
	const unsigned char *head = take_bytes(data, 2), *tag;
	if (!head || !(tag = take_bytes(data, head[1])))
		return false;
	snprintf(flags, sizeof(flags), "%u ", head[0]);
	add(data, flags, strlen(flags));
	add_bytes(data, tag, head[1]);
	add(data, " \"", 2);
	add_bytes(data, data->at, (size_t)(data->end - data->at));
	add(data, "\"", 1);
	data->at = data->end;
	return true;
}

static bool add_part(struct data *data, char part)
{
	switch (part) {
	case '4':
		return add_address(data, AF_INET, NS_INADDRSZ);
	case '6':
		return add_address(data, AF_INET6, NS_IN6ADDRSZ);
	case 'n':
		return add_name(data);
	case 'h':
		return add_number(data, NS_INT16SZ);
	case 'l':
		return add_number(data, NS_INT32SZ);
	case 't':
		return add_strings(data);
	default:
		return add_caa(data);
	}
}

static bool read_record(const ns_msg *message, const ns_rr *record, const char *parts,
			char text[DNS_RECORD_SIZE])
{
	struct data data = { .message = message,
			     .at = ns_rr_rdata(*record),
			     .end = ns_rr_rdata(*record) + ns_rr_rdlen(*record),
			     .to = text,
			     .to_end = text + DNS_RECORD_SIZE };
	text[0] = '\0';
	for (; *parts; parts++) {
		if (!add_part(&data, *parts))
			return false;
		if (parts[1])
			add(&data, " ", 1);
	}
	return data.at == data.end;
}

void dns_text_each(const unsigned char *bytes, size_t len, enum check_dns type,
		   bool (*take)(void *context, const char *text), void *context)
{
	ns_msg message;
	ns_rr record;
	char text[DNS_RECORD_SIZE];
	if (len > NS_MAXMSG || ns_initparse(bytes, (int)len, &message) != 0)
		return;
	for (int i = 0; i < ns_msg_count(message, ns_s_an) && i < DNS_RECORDS_MAX; i++) {
		if (ns_parserr(&message, ns_s_an, i, &record) != 0)
			return;
		if ((int)ns_rr_type(record) == types[type].number &&
		    ns_rr_class(record) == ns_c_in &&
		    read_record(&message, &record, types[type].parts, text) && !take(context, text))
			return;
	}
}

/* Copies the text in lower case, with single blanks. Omits quotes and the final dot of each
 * word. */
static void normalise(const char *text, char out[DNS_RECORD_SIZE])
{
	struct str rest = str_from(text), word;
	size_t len = 0;
	while (str_split(&rest, ' ', &word)) {
		if (word.len > 0 && len > 0 && len + 1 < DNS_RECORD_SIZE)
			out[len++] = ' ';
		if (word.len > 1 && word.data[word.len - 1] == '.')
			word.len--;
		for (size_t i = 0; i < word.len && len + 1 < DNS_RECORD_SIZE; i++)
			if (word.data[i] != '"')
				out[len++] = word.data[i];
	}
	out[len] = '\0';
	str_to_lower(out);
}

bool dns_text_is(enum check_dns type, const char *text, const char *expected)
{
	char a[DNS_RECORD_SIZE], b[DNS_RECORD_SIZE];
	unsigned char bytes[NS_IN6ADDRSZ];
	struct str content = str_from(expected);
	switch (type) {
	case CHECK_TXT:
		if (content.len > 1 && content.data[0] == '"' &&
		    content.data[content.len - 1] == '"' && text[0] != '"')
			content = (struct str){ content.data + 1, content.len - 2 };
		return str_eq(str_from(text), content);
	case CHECK_AAAA:
		return inet_pton(AF_INET6, expected, bytes) == 1 &&
		       inet_ntop(AF_INET6, bytes, a, sizeof(a)) && strcmp(a, text) == 0;
	default:
		normalise(text, a);
		normalise(expected, b);
		return strcmp(a, b) == 0;
	}
}

bool dns_text_reverse(const char *address, char name[DNS_NAME_SIZE])
{
	unsigned char bytes[NS_IN6ADDRSZ];
	if (inet_pton(AF_INET, address, bytes) == 1) {
		snprintf(name, DNS_NAME_SIZE, "%u.%u.%u.%u.in-addr.arpa", bytes[3], bytes[2],
			 bytes[1], bytes[0]);
		return true;
	}
	if (inet_pton(AF_INET6, address, bytes) != 1)
		return false;
	for (size_t i = 0; i < NS_IN6ADDRSZ; i++) {
		unsigned byte = bytes[NS_IN6ADDRSZ - 1 - i];
		snprintf(name + 4 * i, DNS_NAME_SIZE - 4 * i, "%x.%x.%s", byte & 15, byte >> 4,
			 i + 1 == NS_IN6ADDRSZ ? "ip6.arpa" : "");
	}
	return true;
}
