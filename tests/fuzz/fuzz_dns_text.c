/* The answers of DNS servers: the first byte is the type that is looked for. */
#include "fuzz/fuzz.h"

#include "probe/dns_text.h"

struct texts {
	enum check_dns type;
	size_t count;
};

static bool take(void *context, const char *text)
{
	struct texts *texts = context;
	MUST_HOLD(strlen(text) < DNS_RECORD_SIZE);
	MUST_HOLD(dns_text_is(texts->type, text, text));
	return ++texts->count < DNS_RECORDS_MAX + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char expected[300], name[DNS_NAME_SIZE];
	if (size == 0)
		return 0;
	struct texts texts = { .type = (enum check_dns)(data[0] % (CHECK_PTR + 1)) };
	dns_text_each(data + 1, size - 1, texts.type, take, &texts);
	MUST_HOLD(texts.count <= DNS_RECORDS_MAX);
	/* The same bytes as the value that is expected. */
	size_t len = size - 1 < sizeof(expected) - 1 ? size - 1 : sizeof(expected) - 1;
	memcpy(expected, data + 1, len);
	expected[len] = '\0';
	dns_text_is(texts.type, "10 mail.example.org", expected);
	if (dns_text_reverse(expected, name))
		MUST_HOLD(strlen(name) > strlen(".ip6.arpa"));
	return 0;
}
