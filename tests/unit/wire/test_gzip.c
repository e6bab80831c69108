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
		struct buf packed = BUF_INIT(4 << 20), second = BUF_INIT(4 << 20);
		gzip_add(&gzip, &packed, text, sizes[i]);
		gzip_add(&gzip, &second, text, sizes[i]);
		assert_true(buf_ok(&packed));
		assert_int_equal(sizes[i], unpack(&packed, again, (1 << 20) + 1));
		assert_memory_equal(text, again, sizes[i]);
		assert_int_equal(packed.len, second.len);
		assert_memory_equal(packed.data, second.data, packed.len);
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
		gzip_add(&gzip, &packed, "status", 6);
		size_t len = packed.len;
		gzip_pad(&packed, paddings[i]);
		assert_true(buf_ok(&packed));
		assert_int_equal(len + paddings[i], packed.len);
		assert_int_equal(6, unpack(&packed, again, sizeof(again)));
		assert_memory_equal("status", again, 6);
		buf_done(&packed);
	}
	struct buf full = BUF_INIT(64);
	gzip_add(&gzip, &full, "status", 6);
	gzip_pad(&full, 100);
	assert_false(buf_ok(&full));
	buf_done(&full);
}

static void too_much_marks_the_buffer(void **state)
{
	(void)state;
	struct gzip gzip CLEANUP(gzip_done) = { 0 };
	struct buf packed = BUF_INIT(8);
	gzip_add(&gzip, &packed, "some text that is longer than that", 34);
	assert_false(buf_ok(&packed));
	buf_done(&packed);
}

/* What is read of a text. */
struct reader {
	struct buf text;
	size_t most; /* then no more is wanted */
};

static bool take(void *context, const char *data, size_t len)
{
	struct reader *reader = context;
	assert_in_range(len, 1, GUNZIP_PIECE_BYTES);
	buf_add(&reader->text, data, len);
	return reader->text.len < reader->most;
}

/* Packs as gzip (31), with zlib's header (15) or without (-15). */
static struct buf pack(const char *text, size_t len, int window_bits)
{
	struct buf packed = BUF_INIT(4 << 20);
	z_stream stream = { 0 };
	assert_int_equal(Z_OK, deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, 0));
	assert_true(buf_expect(&packed, deflateBound(&stream, len)));
	stream.next_in = (Bytef *)(uintptr_t)text;
	stream.avail_in = (uInt)len;
	stream.next_out = (Bytef *)packed.data;
	stream.avail_out = (uInt)packed.size;
	assert_int_equal(Z_STREAM_END, deflate(&stream, Z_FINISH));
	packed.len = stream.total_out;
	deflateEnd(&stream);
	return packed;
}

static void read_in_pieces(struct gunzip *gunzip, const struct buf *packed, size_t piece,
			   struct reader *reader)
{
	for (size_t i = 0; i < packed->len; i += piece)
		gunzip_add(gunzip, packed->data + i,
			   packed->len - i < piece ? packed->len - i : piece, take, reader);
}

static void a_packed_text_is_read_in_any_pieces(void **state)
{
	static const int formats[] = { 31, 15, -15 };
	static const size_t sizes[] = { 0, 1, 16383, 16384, 32768, 100000 };
	static const size_t pieces[] = { 1, 7, 1000, 1 << 20 };
	char text[100000];
	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * i >> 7);
	for (size_t i = 0; i < ARRAY_LEN(formats) * ARRAY_LEN(sizes) * ARRAY_LEN(pieces); i++) {
		size_t size = sizes[i / ARRAY_LEN(pieces) % ARRAY_LEN(sizes)];
		struct buf packed =
			pack(text, size, formats[i / ARRAY_LEN(pieces) / ARRAY_LEN(sizes)]);
		struct gunzip gunzip CLEANUP(gunzip_done) = { 0 };
		struct reader reader = { BUF_INIT(1 << 20), SIZE_MAX };
		/* What follows the end is ignored. */
		buf_add(&packed, "more", 4);
		read_in_pieces(&gunzip, &packed, pieces[i % ARRAY_LEN(pieces)], &reader);
		assert_true(gunzip.is_ended);
		assert_false(gunzip.is_failed);
		assert_int_equal(size, reader.text.len);
		assert_true(size == 0 || memcmp(text, reader.text.data, size) == 0);
		buf_done(&packed);
		buf_done(&reader.text);
	}
}

static void a_text_is_read_as_far_as_it_is_wanted(void **state)
{
	enum { BYTES = 64 << 20, MOST = 100000 };
	char *zeros = calloc(1, BYTES);
	struct buf packed = pack(zeros, BYTES, 31);
	struct gunzip gunzip CLEANUP(gunzip_done) = { 0 };
	struct reader reader = { BUF_INIT(MOST + GUNZIP_PIECE_BYTES), MOST };
	(void)state;
	gunzip_add(&gunzip, packed.data, packed.len, take, &reader);
	assert_true(buf_ok(&reader.text));
	assert_true(reader.text.len >= MOST);
	assert_false(gunzip.is_ended || gunzip.is_failed);
	buf_done(&packed);
	buf_done(&reader.text);
	free(zeros);
}

static void a_damaged_text_fails(void **state)
{
	(void)state;
	struct buf packed = pack("some text", 9, 31);
	packed.data[packed.len - 6] ^= 1; /* in the checksum */
	struct gunzip damaged CLEANUP(gunzip_done) = { 0 }, other CLEANUP(gunzip_done) = { 0 };
	struct gunzip cut CLEANUP(gunzip_done) = { 0 };
	struct reader reader = { BUF_INIT(100), SIZE_MAX };
	read_in_pieces(&damaged, &packed, 3, &reader);
	assert_true(damaged.is_failed);
	gunzip_add(&other, "<html>", 6, take, &reader);
	assert_true(other.is_failed);
	gunzip_add(&cut, packed.data, packed.len - 9, take, &reader);
	assert_false(cut.is_failed || cut.is_ended);
	buf_done(&packed);
	buf_done(&reader.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_comes_out_the_same),
		cmocka_unit_test(a_padded_text_has_the_length_and_comes_out_the_same),
		cmocka_unit_test(too_much_marks_the_buffer),
		cmocka_unit_test(a_packed_text_is_read_in_any_pieces),
		cmocka_unit_test(a_text_is_read_as_far_as_it_is_wanted),
		cmocka_unit_test(a_damaged_text_fails),
	};
	return RUN(tests);
}
