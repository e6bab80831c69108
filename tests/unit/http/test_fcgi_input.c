#include "unit/lib/unit.h"

#include <stdio.h>

#include "base/budget.h"
#include "http/fcgi_input.h"
#include "wire/limits.h"

enum { BODY_MAX_BYTES = 100 };

static struct buf sent;

static void send_record(enum fcgi_type type, uint16_t id, const char *content, size_t len,
			unsigned char padding)
{
	unsigned char header[FCGI_HEADER_BYTES];
	fcgi_put_header(header, type, id, len);
	header[6] = padding;
	buf_add(&sent, header, sizeof(header));
	buf_add(&sent, content, len);
	buf_add(&sent, "paddingpadding", padding);
}

#define SEND(type, id, literal) send_record(type, id, literal, sizeof(literal) - 1, 0)
#define BEGIN_KEPT		"\0\1\1\0\0\0\0\0"
#define BEGIN_ONCE		"\0\1\0\0\0\0\0\0"

/* The length of a long value has four bytes. */
static void send_request(uint16_t id, const char *body, size_t len)
{
	buf_clear(&sent);
	SEND(FCGI_BEGIN_REQUEST, id, BEGIN_KEPT);
	send_record(FCGI_PARAMS, id, "\4\1NAMEx\5", 8, 3);
	SEND(FCGI_GET_VALUES, 0, "\1\0a");
	SEND(FCGI_PARAMS, id, "\x80\0\0\3EMPTYone\0\0");
	SEND(FCGI_PARAMS, id, "");
	send_record(FCGI_STDIN, id, body, len, 7);
	SEND(FCGI_STDIN, 9, "of another");
	SEND(FCGI_STDIN, id, "");
}

/* Feeds `sent` in pieces of this size, up to a request or to the end. */
static enum fcgi_state feed(struct fcgi_input *input, size_t piece, struct str *rest)
{
	*rest = (struct str){ sent.data, sent.len };
	enum fcgi_state state = FCGI_WANTS_MORE;
	while (rest->len > 0 && state == FCGI_WANTS_MORE) {
		struct str bytes = { rest->data, rest->len < piece ? rest->len : piece };
		size_t before = bytes.len;
		state = fcgi_feed(input, &bytes);
		*rest = str_skip(*rest, before - bytes.len);
	}
	return state;
}

static void a_request_is_the_same_in_all_pieces(void **state)
{
	(void)state;
	send_request(258, "body", 4);
	for (size_t piece = 1; piece <= sent.len; piece++) {
		struct fcgi_input input;
		struct fcgi_request request;
		struct str rest;
		fcgi_input_init(&input, BODY_MAX_BYTES);
		assert_int_equal(FCGI_HAS_REQUEST, feed(&input, piece, &rest));
		assert_int_equal(0, rest.len);
		assert_false(fcgi_is_unfinished(&input));
		fcgi_take(&input, &request);
		assert_int_equal(258, request.id);
		assert_true(request.is_kept);
		assert_string_equal("x", fcgi_variable(&request, "NAME"));
		assert_string_equal("one", fcgi_variable(&request, "EMPTY"));
		assert_string_equal("", fcgi_variable(&request, ""));
		assert_null(fcgi_variable(&request, "one"));
		assert_string_equal("body", request.body.data);
		assert_memory_equal("\1\12\0\0\0\0\0\0", input.reply.data, 8);
		assert_int_equal(8, input.reply.len);
		fcgi_request_done(&request);
		fcgi_input_done(&input);
	}
}

static void a_body_may_be_as_long_as_is_allowed(void **state)
{
	(void)state;
	char body[BODY_MAX_BYTES + 50] = { 0 };
	for (size_t len = BODY_MAX_BYTES - 1; len <= sizeof(body); len++) {
		bool is_longer = len > BODY_MAX_BYTES;
		struct fcgi_input input;
		struct fcgi_request request;
		struct str rest;
		send_request(1, body, len);
		fcgi_input_init(&input, BODY_MAX_BYTES);
		assert_int_equal(FCGI_HAS_REQUEST, feed(&input, sent.len, &rest));
		fcgi_take(&input, &request);
		assert_int_equal(is_longer ? BODY_MAX_BYTES + 1 : len, request.body.len);
		assert_int_equal(is_longer ? FCGI_IN_REST : FCGI_BETWEEN, input.phase);
		/* The rest of a body that is too long is dropped. */
		assert_int_equal(FCGI_WANTS_MORE, fcgi_feed(&input, &rest));
		assert_false(fcgi_is_unfinished(&input));
		fcgi_request_done(&request);
		fcgi_input_done(&input);
	}
}

static size_t asked_bytes;
static bool has_room;

static bool room(struct fcgi_input *input, size_t held_bytes)
{
	(void)input;
	asked_bytes = held_bytes;
	return has_room;
}

enum { LARGE_MAX_BYTES = 2 << 20 };

/* Sends a body of `len` bytes, with the CONTENT_LENGTH `said` unless that is NULL. */
static enum fcgi_state send_large(struct fcgi_input *input, const char *said, size_t len)
{
	static char piece[60000];
	char pair[64];
	struct str rest;
	buf_clear(&sent);
	SEND(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT);
	int pair_len =
		snprintf(pair, sizeof(pair), "\16%cCONTENT_LENGTH%s", (int)strlen(said), said);
	send_record(FCGI_PARAMS, 1, pair, (size_t)pair_len, 0);
	SEND(FCGI_PARAMS, 1, "");
	for (size_t left = len, some; left > 0; left -= some) {
		some = left < sizeof(piece) ? left : sizeof(piece);
		send_record(FCGI_STDIN, 1, piece, some, 0);
	}
	SEND(FCGI_STDIN, 1, "");
	fcgi_input_init(input, LARGE_MAX_BYTES);
	input->has_room = room;
	asked_bytes = 0;
	enum fcgi_state state = feed(input, 1000, &rest);
	/* A rejected body is dropped, and the next request is served. */
	struct fcgi_request request;
	fcgi_take(input, &request);
	enum fcgi_phase phase = input->phase;
	assert_int_equal(FCGI_WANTS_MORE, fcgi_feed(input, &rest));
	assert_int_equal(FCGI_BETWEEN, input->phase);
	input->phase = phase;
	input->request = request;
	return state;
}

static void a_large_body_needs_room(void **state)
{
	(void)state;
	static const struct {
		const char *said;
		size_t len;
		size_t least_asked, most_asked; /* 0: has_room() was not called */
		bool is_refused;		/* if there is no room */
	} rows[] = {
		{ "262144", 262144, 0, 0, false },
		{ "262145", 262145, 262146, 263000, true },
		{ "2097152", 2097152, 2097153, 2098000, true },
		{ "2000000", 5, 2000001, 2001000, true },
		{ "", 262144, 0, 0, false },
		{ "", 600000, 524289, 1200000, true },
		{ "x", 2097152, 2097153, 2098000, true },
		/* More bytes than the CONTENT_LENGTH. */
		{ "5", 600000, 524289, 1200000, true },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows) * 2; i++) {
		struct fcgi_input input;
		bool is_refused = i % 2 && rows[i / 2].is_refused;
		has_room = i % 2 == 0;
		assert_int_equal(FCGI_HAS_REQUEST,
				 send_large(&input, rows[i / 2].said, rows[i / 2].len));
		assert_int_equal(is_refused, input.request.is_refused);
		assert_int_equal(is_refused ? FCGI_IN_REST : FCGI_BETWEEN, input.phase);
		assert_int_equal(is_refused ? 0 : rows[i / 2].len, input.request.body.len);
		if (is_refused)
			assert_int_equal(0, input.request.body.size);
		else
			assert_in_range(asked_bytes, rows[i / 2].least_asked,
					rows[i / 2].most_asked);
		fcgi_input_done(&input);
		assert_int_equal(sent.size, budget_used());
	}
}

static void a_large_body_is_refused_where_memory_is_in_use(void **state)
{
	(void)state;
	struct fcgi_input input;
	has_room = true;
	/* Make `sent` as large as it becomes below. */
	send_large(&input, "2097152", 2097152);
	fcgi_input_done(&input);
	size_t before = budget_used();
	budget_set(before + LARGE_MAX_BYTES * 4);
	budget_take(LARGE_MAX_BYTES * 3);
	assert_int_equal(FCGI_HAS_REQUEST, send_large(&input, "2097152", 2097152));
	assert_true(input.request.is_refused);
	fcgi_input_done(&input);
	budget_give(LARGE_MAX_BYTES);
	assert_int_equal(FCGI_HAS_REQUEST, send_large(&input, "2097152", 2097152));
	assert_false(input.request.is_refused);
	fcgi_input_done(&input);
	budget_give(LARGE_MAX_BYTES * 2);
	budget_set(0);
	assert_int_equal(before, budget_used());
}

static void a_body_that_says_it_is_too_long_takes_no_memory(void **state)
{
	(void)state;
	struct fcgi_input input;
	has_room = true;
	assert_int_equal(FCGI_HAS_REQUEST, send_large(&input, "2097153", 2097153));
	assert_int_equal(FCGI_IN_REST, input.phase);
	assert_int_equal(0, input.request.body.size);
	assert_int_equal(0, asked_bytes);
	assert_false(input.request.is_refused);
	fcgi_input_done(&input);
}

static enum fcgi_state judge(void)
{
	struct fcgi_input input;
	struct str rest;
	fcgi_input_init(&input, BODY_MAX_BYTES);
	enum fcgi_state state = feed(&input, sent.len, &rest);
	fcgi_input_done(&input);
	return state;
}

static void variables_have_a_limit(void **state)
{
	(void)state;
	static char piece[65535];
	for (size_t extra = 0; extra <= 1; extra++) {
		size_t left = WIRE_PARAMS_MAX_BYTES + extra;
		buf_clear(&sent);
		SEND(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT);
		for (size_t len; left > 0; left -= len) {
			len = left < sizeof(piece) ? left : sizeof(piece);
			send_record(FCGI_PARAMS, 1, piece, len, 0);
		}
		SEND(FCGI_PARAMS, 1, "");
		assert_int_equal(extra ? FCGI_IS_BROKEN : FCGI_WANTS_MORE, judge());
	}
}

static void variables_that_lie_are_broken(void **state)
{
	(void)state;
	static const struct str lies[] = {
		STR("\1"),
		STR("\1\1a"),
		STR("\x80\0\0"),
		STR("\xff\xff\xff\xff\xff\xff\xff\xff") /* sums of lengths that overflow 32 bits */,
		STR("\xff\xff\xff\xfe\1a"),
		STR("\1\xff\xff\xff\xff"),
		STR("\1\1\0b"),
		STR("\1\1a\0"),
	};
	for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
		buf_clear(&sent);
		SEND(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT);
		send_record(FCGI_PARAMS, 1, lies[i].data, lies[i].len, 0);
		SEND(FCGI_PARAMS, 1, "");
		assert_int_equal(FCGI_IS_BROKEN, judge());
	}
}

static void replies_that_nobody_takes_are_broken(void **state)
{
	(void)state;
	buf_clear(&sent);
	for (int i = 0; i < 1000; i++)
		SEND(FCGI_GET_VALUES, 0, "");
	assert_int_equal(FCGI_IS_BROKEN, judge());
}

static void an_abort_ends_what_was_begun(void **state)
{
	(void)state;
	for (int is_kept = 0; is_kept <= 1; is_kept++) {
		buf_clear(&sent);
		send_record(FCGI_BEGIN_REQUEST, 1, is_kept ? BEGIN_KEPT : BEGIN_ONCE, 8, 0);
		SEND(FCGI_PARAMS, 1, "\1\1ab");
		SEND(FCGI_ABORT_REQUEST, 1, "");
		assert_int_equal(is_kept ? FCGI_WANTS_MORE : FCGI_IS_BROKEN, judge());
	}
}

static int setup(void **state)
{
	(void)state;
	sent = BUF_INIT(8 << 20);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	buf_done(&sent);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_the_same_in_all_pieces),
		cmocka_unit_test(a_body_may_be_as_long_as_is_allowed),
		cmocka_unit_test(a_large_body_needs_room),
		cmocka_unit_test(a_large_body_is_refused_where_memory_is_in_use),
		cmocka_unit_test(a_body_that_says_it_is_too_long_takes_no_memory),
		cmocka_unit_test(variables_have_a_limit),
		cmocka_unit_test(variables_that_lie_are_broken),
		cmocka_unit_test(replies_that_nobody_takes_are_broken),
		cmocka_unit_test(an_abort_ends_what_was_begun),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
