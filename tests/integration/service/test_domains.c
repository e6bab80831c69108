/* Domains that must be proven, with a name server of the test's own. */
#include "integration/lib/service.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "publish/domain_check.h"
#include "service/page/status_pages.h"

enum { HEADER_BYTES = 12, PACKET_MAX_BYTES = 512, TXT_MAX_BYTES = 255 };

/* Answers each question with the TXT record `answer`, or with no such name if it is empty. */
static struct name_server {
	int socket_fd;
	int stop_fds[2];
	pthread_t thread;
	char answer[TXT_MAX_BYTES + 1];
	char address[64];
} server;

static size_t end_of_question(const uint8_t *packet, size_t len)
{
	size_t at = HEADER_BYTES;
	while (at < len && packet[at] != 0)
		at += packet[at] + 1u;
	return at + 5 <= len ? at + 5 : 0;
}

/* Makes the answer of the question in `packet`, and returns its length. */
static size_t answer_question(uint8_t *packet, size_t len)
{
	const uint8_t flags[] = { 0x81, 0x80 }, counts[] = { 0, 1, 0, 0, 0, 0, 0, 0 };
	size_t text_len = strlen(server.answer), at = end_of_question(packet, len);
	const uint8_t record[] = { 0xc0,
				   HEADER_BYTES,
				   0,
				   16,
				   0,
				   1,
				   0,
				   0,
				   0,
				   0,
				   (uint8_t)((text_len + 1) >> 8),
				   (uint8_t)(text_len + 1),
				   (uint8_t)text_len };
	memcpy(packet + 2, flags, sizeof(flags));
	memcpy(packet + 4, counts, sizeof(counts));
	if (text_len == 0) {
		packet[3] |= 3; /* NXDOMAIN */
		return at;
	}
	packet[7] = 1;
	memcpy(packet + at, record, sizeof(record));
	memcpy(packet + at + sizeof(record), server.answer, text_len);
	return at + sizeof(record) + text_len;
}

static void *serve(void *unused)
{
	(void)unused;
	struct pollfd polls[] = { { .fd = server.socket_fd, .events = POLLIN },
				  { .fd = server.stop_fds[0], .events = POLLIN } };
	while (poll(polls, 2, -1) > 0 && !polls[1].revents) {
		uint8_t packet[2 * PACKET_MAX_BYTES];
		struct sockaddr_in client;
		socklen_t client_len = sizeof(client);
		ssize_t len = recvfrom(server.socket_fd, packet, PACKET_MAX_BYTES, 0,
				       (struct sockaddr *)&client, &client_len);
		if (len > HEADER_BYTES && end_of_question(packet, (size_t)len) > 0)
			(void)sendto(server.socket_fd, packet, answer_question(packet, (size_t)len),
				     0, (struct sockaddr *)&client, client_len);
	}
	return NULL;
}

static int server_open(void **state)
{
	struct sockaddr_in own = { .sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(own);
	server.socket_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(server.socket_fd, (struct sockaddr *)&own, len), 0);
	assert_int_equal(getsockname(server.socket_fd, (struct sockaddr *)&own, &len), 0);
	snprintf(server.address, sizeof(server.address), "127.0.0.1:%d", ntohs(own.sin_port));
	assert_int_equal(pipe(server.stop_fds), 0);
	assert_int_equal(pthread_create(&server.thread, NULL, serve, NULL), 0);
	return database_open(state);
}

static int server_close(void **state)
{
	close(server.stop_fds[1]);
	pthread_join(server.thread, NULL);
	close(server.stop_fds[0]);
	close(server.socket_fd);
	return database_close(state);
}

/* Proofs are required from now on. The principal is a key of the account. */
static int64_t proving_account(const char *name)
{
	int64_t account = add_account(name);
	act_as_key(account);
	config.domain_proof = CONFIG_PROOF_YES;
	config.resolver = server.address;
	server.answer[0] = '\0';
	return account;
}

static void publish_proof(int64_t account, const char *domain)
{
	uint8_t key[SECRET_HASH_BYTES];
	assert_ok(domain_key_read(db, service.now, &arena, key, &error));
	snprintf(server.answer, sizeof(server.answer), "%s",
		 domain_proof_value(key, account, domain, &arena));
}

static enum result create_page(const char *slug, struct status_page *page)
{
	struct status_page_change change = {
		.input = { .name = "N", .slug = slug, .domain = "page.test" },
		.sent = FIELD_SET(status_page_place("name"), status_page_place("slug"),
				  status_page_place("domain")),
	};
	return service_create_status_page(&service, &change, page);
}

#define PROOFS \
	"SELECT slug, domain, domain_proven_at, domain_checked_at, domain_missing_since, " \
	"domain_lost_at FROM status_pages ORDER BY id"

static void a_domain_without_proof_is_refused(void **state)
{
	struct status_page page;
	(void)state;
	int64_t account = proving_account("one");
	assert_result(E_INVALID, create_page("s", &page));
	assert_true(violations_has(&violations, "domain"));
	violations = (struct violations){ .arena = &arena };
	publish_proof(account + 1, "page.test");
	assert_result(E_INVALID, create_page("s", &page));
	assert_rows("0|0", "SELECT (SELECT COUNT(*) FROM status_pages), "
			   "(SELECT COUNT(*) FROM events)");
}

static void a_domain_with_proof_is_an_event(void **state)
{
	struct status_page page;
	(void)state;
	int64_t account = proving_account("one");
	publish_proof(account, "page.test");
	assert_ok(create_page("s", &page));
	assert_rows("s|page.test|2026-03-05 10:00:00|2026-03-05 10:00:00|-|-", PROOFS);
	assert_rows(
		arena_printf(
			&arena,
			"%1$ld|status_page.created|%2$ld|N\n%1$ld|domain.proven|%2$ld|page.test",
			(long)account, (long)page.id),
		"SELECT account_id, kind, object_id, detail FROM events ORDER BY id");
	assert_true(is_published("public/d/page.test/index.html"));
	/* An update that keeps the domain proves nothing anew. */
	forget_events();
	service.now = at(6, 0);
	struct status_page_change change = { .input = { .domain = "page.test" },
					     .sent = FIELD_SET(status_page_place("domain")) };
	assert_ok(service_update_status_page(&service, page.id, &change, &page));
	assert_rows("status_page.updated", "SELECT kind FROM events");
	assert_rows("s|page.test|2026-03-05 10:00:00|2026-03-05 10:00:00|-|-", PROOFS);
}

static void an_update_with_proof_is_an_event(void **state)
{
	struct status_page page;
	(void)state;
	int64_t account = proving_account("one"), id = add_page(account, "s");
	struct status_page_change change = { .input = { .domain = "page.test" },
					     .sent = FIELD_SET(status_page_place("domain")) };
	publish_proof(account, "page.test");
	assert_ok(service_update_status_page(&service, id, &change, &page));
	assert_rows("status_page.updated|domain\ndomain.proven|page.test",
		    "SELECT kind, detail FROM events ORDER BY id");
	assert_rows("s|page.test|2026-03-05 10:00:00|2026-03-05 10:00:00|-|-", PROOFS);
}

static void a_lost_domain_is_taken_by_who_proves_it(void **state)
{
	struct status_page page;
	(void)state;
	int64_t former = proving_account("one"), former_page = add_page(former, "former");
	execute("UPDATE status_pages SET domain = 'page.test', domain_proven_at = NOW()");
	int64_t account = proving_account("two");
	publish_proof(account, "page.test");
	assert_result(E_INVALID, create_page("s", &page));
	assert_string_equal(events(), "");
	violations = (struct violations){ .arena = &arena };
	execute("UPDATE status_pages SET domain_lost_at = NOW()");
	assert_ok(create_page("s", &page));
	assert_rows("former|-|-|-|-|-\ns|page.test|2026-03-05 10:00:00|2026-03-05 10:00:00|-|-",
		    PROOFS);
	assert_rows(arena_printf(&arena,
				 "%ld|domain.taken|%ld|system|page.test\n%ld|domain.proven|%ld|key|"
				 "page.test",
				 (long)former, (long)former_page, (long)account, (long)page.id),
		    "SELECT account_id, kind, object_id, actor_type, detail FROM events "
		    "WHERE kind LIKE 'domain.%%' ORDER BY id");
	/* The worker publishes the page that has lost it. */
	assert_rows("1",
		    "SELECT unpublished_since IS NOT NULL FROM page_revisions "
		    "WHERE page_id = %ld",
		    (long)former_page);
}

static void recheck(int day)
{
	struct domain_recheck run = { .db = db, .config = &config, .now = at(day, 0) };
	assert_ok(domain_recheck_run(&run, &error));
}

#define EVENTS "SELECT kind, account_id, object_id, actor_type, at, detail FROM events ORDER BY id"

static void a_proof_that_is_missing_for_a_week_is_lost(void **state)
{
	(void)state;
	int64_t account = proving_account("one"), page = add_page(account, "s");
	execute("UPDATE status_pages SET domain = 'page.test', "
		"domain_proven_at = '2026-03-01 00:00:00', domain_checked_at = '2026-03-01 "
		"00:00:00'");
	recheck(3);
	assert_rows("s|page.test|2026-03-01 00:00:00|2026-03-03 00:00:00|2026-03-03 00:00:00|-",
		    PROOFS);
	recheck(8);
	assert_string_equal(events(), "");
	recheck(10);
	assert_rows("s|page.test|2026-03-01 00:00:00|2026-03-10 00:00:00|2026-03-03 00:00:00|"
		    "2026-03-10 00:00:00",
		    PROOFS);
	assert_rows(arena_printf(&arena, "domain.lost|%ld|%ld|system|2026-03-10 00:00:00|page.test",
				 (long)account, (long)page),
		    EVENTS);
	assert_rows("2026-03-10 00:00:00", "SELECT unpublished_since FROM page_revisions");
	forget_events();
	publish_proof(account, "page.test");
	recheck(12);
	assert_rows("s|page.test|2026-03-12 00:00:00|2026-03-12 00:00:00|-|-", PROOFS);
	assert_rows(arena_printf(&arena,
				 "domain.proven|%ld|%ld|system|2026-03-12 00:00:00|page.test",
				 (long)account, (long)page),
		    EVENTS);
}

static void a_lost_domain_returns_when_no_proof_is_required(void **state)
{
	(void)state;
	int64_t account = proving_account("one"), page = add_page(account, "s");
	execute("UPDATE status_pages SET domain = 'page.test', domain_proven_at = NULL, "
		"domain_checked_at = '2026-03-01 00:00:00', "
		"domain_missing_since = '2026-03-01 00:00:00', "
		"domain_lost_at = '2026-03-08 00:00:00'");
	config.domain_proof = CONFIG_PROOF_NO;
	recheck(9);
	assert_rows("s|page.test|-|2026-03-09 00:00:00|-|-", PROOFS);
	assert_rows(arena_printf(&arena,
				 "domain.restored|%ld|%ld|system|2026-03-09 00:00:00|page.test",
				 (long)account, (long)page),
		    EVENTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_domain_without_proof_is_refused),
		SERVICE_TEST(a_domain_with_proof_is_an_event),
		SERVICE_TEST(an_update_with_proof_is_an_event),
		SERVICE_TEST(a_lost_domain_is_taken_by_who_proves_it),
		SERVICE_TEST(a_proof_that_is_missing_for_a_week_is_lost),
		SERVICE_TEST(a_lost_domain_returns_when_no_proof_is_required),
	};
	return cmocka_run_group_tests(tests, server_open, server_close);
}
