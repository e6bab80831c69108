/* Checks by DNS: the records of dnsmasq as text, and the faults of tests/lib/dns-server. */
#include "unit/lib/unit.h"

#include <stdio.h>

#include "probe/dns_text.h"
#include "unit/lib/server.h"
#include "unit/probe/network.h"
#include "unit/probe/probing.h"

#define DNS(...) ((struct check_settings){ .type = CHECK_DNS, __VA_ARGS__ })

/* What dnsmasq says of NS (2), SOA (6) and the root as a mail server is in hexadecimal. */
static const char configuration[] =
	"port=53\nlisten-address=127.0.0.8\nbind-interfaces\nno-resolv\nno-hosts\nuser=root\n"
	"host-record=a.test,192.0.2.1,2001:db8::1\nhost-record=b.test,192.0.2.1\n"
	"address=/c.test/192.0.2.3\naddress=/c.test/192.0.2.4\n"
	"cname=alias.test,alias2.test\ncname=alias2.test,a.test\n"
	"mx-host=a.test,Mail.A.test,10\nmx-host=a.test,backup.a.test,20\n"
	"txt-record=a.test,v=spf1 -all\ntxt-record=parts.test,\"one \",\"two\"\n"
	"srv-host=_sip._tcp.a.test,sip.a.test,5060,1,2\n"
	"caa-record=a.test,0,issue,letsencrypt.org\n"
	"ptr-record=1.2.0.192.in-addr.arpa,a.test\n"
	"ptr-record=1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa,six."
	"test\n"
	"dns-rr=a.test,2,036e73310161047465737400\n"
	"dns-rr=a.test,6,036e7331047465737400046d61696c0474657374000000000100000002000000030000000"
	"400000005\n"
	"dns-rr=null.test,15,000000\n";

static struct test_server dnsmasq;
static bool has_dnsmasq;

static int start(void **state)
{
	if (probing_start(state) != 0)
		return 1;
	folder_write_text("dnsmasq.conf", configuration);
	const char *script =
		arena_printf(&arena,
			     "cd %s && PATH=$PATH:/usr/sbin dnsmasq --conf-file=dnsmasq.conf "
			     "--pid-file=%s/pid && echo ready && cat >/dev/null; kill $(cat pid)",
			     test_folder, test_folder);
	const char *const argv[] = { "sh", "-c", script, NULL };
	has_dnsmasq = has_network && server_start(&dnsmasq, argv);
	return 0;
}

static int stop(void **state)
{
	if (has_dnsmasq)
		server_stop(&dnsmasq);
	return probing_stop(state);
}

static void records_are_compared_as_text(void **state)
{
	NEEDS_NETWORK();
	static const struct {
		const char *url;
		enum check_dns type;
		const char *expected;
	} records[] = {
		{ "a.test", CHECK_A, "192.0.2.1" },
		{ "A.Test.", CHECK_A, "192.0.2.1" },
		{ "c.test", CHECK_A, "192.0.2.4" },
		{ "a.test", CHECK_AAAA, "2001:db8::1" },
		{ "a.test", CHECK_AAAA, "2001:DB8:0:0::1" },
		{ "alias.test", CHECK_A, "192.0.2.1" },
		{ "alias.test", CHECK_CNAME, "alias2.test" },
		{ "alias.test", CHECK_CNAME, "Alias2.Test." },
		{ "a.test", CHECK_MX, "10 mail.a.test" },
		{ "a.test", CHECK_MX, "20  Backup.a.test." },
		{ "null.test", CHECK_MX, "0 ." },
		{ "a.test", CHECK_NS, "ns1.a.test" },
		{ "a.test", CHECK_TXT, "v=spf1 -all" },
		{ "a.test", CHECK_TXT, "\"v=spf1 -all\"" },
		{ "parts.test", CHECK_TXT, "one two" },
		{ "a.test", CHECK_SOA, "ns1.test mail.test 1 2 3 4 5" },
		{ "_sip._tcp.a.test", CHECK_SRV, "1 2 5060 sip.a.test" },
		{ "a.test", CHECK_CAA, "0 issue \"letsencrypt.org\"" },
		{ "a.test", CHECK_CAA, "0 issue letsencrypt.org" },
		{ "1.2.0.192.in-addr.arpa", CHECK_PTR, "a.test" },
		{ "192.0.2.1", CHECK_PTR, "a.test." },
		{ "2001:db8::1", CHECK_PTR, "six.test" },
	};
	if (!has_dnsmasq)
		skip();
	for (size_t i = 0; i < ARRAY_LEN(records); i++) {
		struct check_settings settings = DNS(.url = records[i].url,
						     .dns_type = (int)records[i].type,
						     .dns_server = "127.0.0.8");
		probe_is_up(settings);
		settings.dns_expected = records[i].expected;
		probe_is_up(settings);
		settings.dns_expected = arena_printf(&arena, "%sx", records[i].expected);
		struct probe_result result = probe_run(settings);
		assert_non_null(strstr(result.cause, "record is as expected"));
	}
	struct probe_result result =
		probe_run(DNS(.url = "a.test", .dns_type = CHECK_MX, .dns_server = "127.0.0.8:53",
			      .dns_expected = "10 other.test"));
	assert_string_equal("127.0.0.8", result.address);
	assert_string_equal(result.cause, "no MX record is as expected");
	assert_non_null(strstr(result.note, "2 MX records, the first \""));
	/* The case of a TXT record counts. */
	probe_fails(DNS(.url = "a.test", .dns_type = CHECK_TXT, .dns_server = "127.0.0.8",
			.dns_expected = "V=spf1 -all"),
		    "no TXT record is as expected");
}

static void failures_have_plain_causes(void **state)
{
	NEEDS_NETWORK();
	probe_fails(DNS(.url = "missing.test"), "the name does not exist");
	probe_fails(DNS(.url = "empty.test"), "the name has no record of this type");
	probe_fails(DNS(.url = "plain.test", .dns_type = CHECK_MX),
		    "the name has no record of this type");
	probe_fails(DNS(.url = "loop.test"), "the name has no A record");
	probe_fails(DNS(.url = "servfail.test"), "no DNS server could answer");
	probe_fails(DNS(.url = "refused.test"), "no DNS server could answer");
	probe_fails(DNS(.url = "plain.test", .dns_server = "127.0.0.9"),
		    "no DNS server could answer");
	probe_fails(DNS(.url = "silent.test", .timeout = 1),
		    "no answer of a DNS server within 1 s");
	probe_is_up(DNS(.url = "plain.test", .dns_server = "tcp://127.0.0.1"));
	probe_is_up(DNS(.url = "plain.test", .dns_server = "::ffff:127.0.0.1"));
	probe_fails(DNS(.url = "plain.test", .dns_server = "dns.test"),
		    "the DNS server is not an address");
	probe_fails(DNS(.url = "plain.test", .dns_server = "127.0.0.1:99999"),
		    "the DNS server is not an address");
}

static void hostile_answers_are_bounded(void **state)
{
	NEEDS_NETWORK();
	/* 65,000 bytes in one record, of which 60 characters are shown. */
	struct probe_result result =
		probe_run(DNS(.url = "endless.test", .dns_type = CHECK_TXT, .dns_expected = "b"));
	assert_non_null(strstr(result.note, "the first \"aaaaaaaa"));
	assert_true(strlen(result.note) < 120);
	assert_false(probe_run(DNS(.url = "garbage.test")).is_up);
	assert_false(probe_run(DNS(.url = "cut.test")).is_up);
	/* The answer comes by TCP; the last of 21 records counts. */
	probe_is_up(DNS(.url = "big.test", .dns_type = CHECK_TXT, .dns_expected = "the last"));
}

static void private_servers_are_refused(void **state)
{
	NEEDS_NETWORK();
	probing_refuse_private();
	probe_fails(DNS(.url = "plain.test", .dns_server = "127.0.0.1"),
		    "the address is not public");
	/* The server of the system may be private, and so may records. */
	probe_is_up(DNS(.url = "plain.test", .dns_expected = "127.0.0.1"));
}

static void a_cancelled_check_leaves_nothing(void **state)
{
	NEEDS_NETWORK();
	probe_cancel_everywhere(DNS(.url = "big.test", .dns_type = CHECK_TXT));
	probe_cancel_everywhere(
		DNS(.url = "big.test", .dns_type = CHECK_TXT, .dns_server = "127.0.0.1"));
	probe_cancel_everywhere(DNS(.url = "silent.test", .timeout = 1));
}

struct texts {
	size_t count, max;
	char last[DNS_RECORD_SIZE];
};

static bool take_text(void *context, const char *text)
{
	struct texts *texts = context;
	snprintf(texts->last, sizeof(texts->last), "%s", text);
	return ++texts->count < texts->max;
}

/* A message with `count` records whose name is the question's. */
static size_t make_message(uint8_t *message, size_t count, uint16_t type, const uint8_t *data,
			   uint16_t len)
{
	const uint8_t head[] = {
		0,   1, 0x81, 0x80, 0, 1, (uint8_t)(count >> 8), (uint8_t)count, 0, 0, 0, 0, 1,
		'x', 0, 0,    1,    0, 1
	};
	const uint8_t record[] = { 0xc0, 12, (uint8_t)(type >> 8), (uint8_t)type, 0, 1, 0, 0,
				   0,	 1,  (uint8_t)(len >> 8),  (uint8_t)len };
	size_t at = sizeof(head);
	memcpy(message, head, sizeof(head));
	for (size_t i = 0; i < count; i++) {
		memcpy(message + at, record, sizeof(record));
		memcpy(message + at + sizeof(record), data, len);
		at += sizeof(record) + len;
	}
	return at;
}

static void broken_records_are_left_out(void **state)
{
	(void)state;
	static uint8_t message[65535];
	static const struct {
		enum check_dns type;
		uint8_t data[12];
		uint16_t len;
		const char *text; /* NULL: none */
	} records[] = {
		{ CHECK_A, { 1, 2, 3, 4 }, 4, "1.2.3.4" },
		{ CHECK_A, { 1, 2, 3, 4 }, 3, NULL },
		{ CHECK_A, { 1, 2, 3, 4, 5 }, 5, NULL },
		{ CHECK_AAAA, { 0 }, 4, NULL },
		{ CHECK_MX, { 0, 10, 0xc0, 12 }, 4, "10 x" },
		{ CHECK_MX, { 0, 10 }, 2, NULL },
		{ CHECK_MX, { 0, 10, 0xc0 }, 3, NULL },
		{ CHECK_MX, { 0, 10, 0xc0, 12, 0 }, 5, NULL },
		{ CHECK_NS, { 0xc0, 31 }, 2, NULL }, /* points to itself */
		{ CHECK_NS, { 0xff, 0xff }, 2, NULL },
		{ CHECK_NS, { 3, 'a', '.', 0, 0 }, 5, "a\\.\\000" },
		{ CHECK_TXT, { 0 }, 0, "" },
		{ CHECK_TXT, { 2, 'a', 0, 1, 'b' }, 5, "a?b" },
		{ CHECK_TXT, { 2, 'a' }, 2, NULL },
		{ CHECK_CAA, { 128, 1, 'i', ';' }, 4, "128 i \";\"" },
		{ CHECK_CAA, { 128, 2, 'i' }, 3, NULL },
		{ CHECK_CAA, { 128 }, 1, NULL },
		{ CHECK_SRV, { 0, 1, 0, 2, 0, 3, 0 }, 7, "1 2 3 ." },
		{ CHECK_SOA, { 0, 0, 0, 0 }, 4, NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(records); i++) {
		struct texts texts = { .max = 9 };
		size_t len = make_message(message, 1, (uint16_t)dns_type_number(records[i].type),
					  records[i].data, records[i].len);
		dns_text_each(message, len, records[i].type, take_text, &texts);
		assert_int_equal(records[i].text ? 1 : 0, texts.count);
		assert_string_equal(records[i].text ? records[i].text : "", texts.last);
		/* Of another type. */
		texts.count = 0;
		dns_text_each(message, len, records[i].type == CHECK_A ? CHECK_NS : CHECK_A,
			      take_text, &texts);
		assert_int_equal(0, texts.count);
		for (size_t cut = 0; cut < len; cut++)
			dns_text_each(message, cut, records[i].type, take_text, &texts);
		assert_int_equal(0, texts.count);
	}
}

static void the_number_of_records_is_bounded(void **state)
{
	(void)state;
	static uint8_t message[65535];
	static const uint8_t data[] = { 1, 2, 3, 4 };
	struct texts texts = { .max = 9999 };
	size_t len = make_message(message, DNS_RECORDS_MAX + 1, 1, data, sizeof(data));
	dns_text_each(message, len, CHECK_A, take_text, &texts);
	assert_int_equal(DNS_RECORDS_MAX, texts.count);
	texts = (struct texts){ .max = 2 };
	dns_text_each(message, len, CHECK_A, take_text, &texts);
	assert_int_equal(2, texts.count);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, probing_open, probing_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_are_compared_as_text),
		TEST(failures_have_plain_causes),
		TEST(hostile_answers_are_bounded),
		TEST(private_servers_are_refused),
		TEST(a_cancelled_check_leaves_nothing),
		cmocka_unit_test(broken_records_are_left_out),
		cmocka_unit_test(the_number_of_records_is_bounded),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
