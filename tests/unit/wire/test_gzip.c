#include "unit/lib/unit.h"

#include <stdlib.h>
#include <zlib.h>

#include "wire/gzip.h"

/* Decompresses with zlib. Returns the length, or -1. */
static long unpack(const struct buf *packed, char *out, size_t size)
{
	z_stream stream = { .next_in = (Bytef *)packed->data,
			    .avail_in = (uInt)packed->len,
			    .next_out = (Bytef *)out,
			    .avail_out = (uInt)size };
	assert_int_equal(Z_OK, inflateInit2(&stream, 15 + 16));
	int outcome = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return outcome == Z_STREAM_END ? (long)stream.total_out : -1;
}

static void what_is_packed_comes_out_the_same(void **state)
{
	(void)state;
	static const size_t sizes[] = { 0, 1, 16383, 16384, 16385, 1 << 20 };
	struct gzip gzip CLEANUP(gzip_done) = { 0 };
	char *text = malloc(1 << 20), *again = malloc((1 << 20) + 1);
	for (size_t i = 0; i < 1 << 20; i++)
		text[i] = (char)(i * i >> 7);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct buf packed = BUF_INIT(4 << 20), second = BUF_INIT(4 << 20),
			   small = BUF_INIT(4 << 20);
		gzip_add(&gzip, GZIP_FAST, &packed, text, sizes[i]);
		gzip_add(&gzip, GZIP_SMALL, &small, text, sizes[i]);
		gzip_add(&gzip, GZIP_FAST, &second, text, sizes[i]);
		assert_true(buf_ok(&packed));
		assert_int_equal(sizes[i], unpack(&packed, again, (1 << 20) + 1));
		assert_memory_equal(text, again, sizes[i]);
		assert_int_equal(packed.len, second.len);
		assert_memory_equal(packed.data, second.data, packed.len);
		assert_int_equal(sizes[i], unpack(&small, again, (1 << 20) + 1));
		assert_memory_equal(text, again, sizes[i]);
		/* XFL (RFC 1952, 2.3.1): slowest and smallest. */
		assert_int_equal(2, small.data[8]);
		assert_int_equal(0, second.data[8]);
		buf_done(&small);
		buf_done(&packed);
		buf_done(&second);
	}
	free(text);
	free(again);
}

static void a_padded_text_has_the_length_and_comes_out_the_same(void **state)
{
	(void)state;
	static const size_t paddings[] = { 0, 1, 2, 70000 };
	struct gzip gzip CLEANUP(gzip_done) = { 0 };
	char again[8];
	for (size_t i = 0; i < ARRAY_LEN(paddings); i++) {
		struct buf packed = BUF_INIT(1 << 20);
		gzip_add(&gzip, GZIP_FAST, &packed, "status", 6);
		size_t len = packed.len;
		gzip_pad(&packed, paddings[i]);
		assert_true(buf_ok(&packed));
		assert_int_equal(len + paddings[i], packed.len);
		assert_int_equal(6, unpack(&packed, again, sizeof(again)));
		assert_memory_equal("status", again, 6);
		buf_done(&packed);
	}
	struct buf full = BUF_INIT(64);
	gzip_add(&gzip, GZIP_FAST, &full, "status", 6);
	gzip_pad(&full, 100);
	assert_false(buf_ok(&full));
	buf_done(&full);
}

static void too_much_marks_the_buffer(void **state)
{
	(void)state;
	struct gzip gzip CLEANUP(gzip_done) = { 0 };
	struct buf packed = BUF_INIT(8);
	gzip_add(&gzip, GZIP_FAST, &packed, "some text that is longer than that", 34);
	assert_false(buf_ok(&packed));
	buf_done(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_comes_out_the_same),
		cmocka_unit_test(a_padded_text_has_the_length_and_comes_out_the_same),
		cmocka_unit_test(too_much_marks_the_buffer),
	};
	return RUN(tests);
}
