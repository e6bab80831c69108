#include "unit/lib/unit.h"

#include <stdlib.h>

#include "base/str.h"
#include "domain/page/image.h"

/* The smallest whole picture of each kind. */
#define PNG_HEAD "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
#define PNG_OF(width, height) \
	PNG_HEAD width height "\x08\x06\0\0\0" \
			      "crc0" \
			      "\0\0\0\x02IDATxxcrc1" \
			      "\0\0\0\0IENDcrc2"
#define PNG PNG_OF("\0\0\0\x03", "\0\0\0\x02")
#define JPEG \
	"\xff\xd8\xff\xe0\0\x04xx\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0" \
	"\xff\xda\0\x08\x01\x01\0\0\x3f\0data\xff\xd9"
#define JPEG_FRAME(marker, size) "\xff" marker "\0\x0b\x08" size "\x01\x01\x11\0"
#define JPEG_SCAN		 "\xff\xda\0\x08\x01\x01\0\0\x3f\0data\xff\xd9"
#define JPEG_OF(marker, size)	 "\xff\xd8" JPEG_FRAME(marker, size) JPEG_SCAN
#define GIF			 "GIF89a\x03\0\x02\0\0\0\0,\0\0\0\0\x03\0\x02\0\0\x02\x02xx\0;"
#define WEBP_LOSSLESS		 "RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x02\x40\0\0xxxxxxxx\0"
#define WEBP_EXTENDED		 "RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0"
#define WEBP_LOSSY		 "RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0xxx\x9d\x01\x2a\x03\0\x02\0"
#define BITMAP_OF(width, height) "\x28\0\0\0" width height "xxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define BITMAP			 BITMAP_OF("\x10\0\0\0", "\x40\0\0\0")
#define ICO_OF(bitmap) \
	"\0\0\1\0\1\0" \
	"\x10\x20\0\0\1\0\x20\0\x28\0\0\0\x16\0\0\0" bitmap
#define ICO	       ICO_OF(BITMAP)
/* Of 3 by 2 pixels at first sight, and larger inside. */
#define GIF_WIDE_FRAME "GIF89a\x03\0\x02\0\0\0\0,\0\0\0\0\0\x50\0\x60\0\x02\x02xx\0;"
#define GIF_FAR_FRAME  "GIF89a\x03\0\x02\0\0\0\0,\0\x50\0\x60\x03\0\x02\0\0\x02\x02xx\0;"
#define WEBP_WIDE_CHUNK \
	"RIFF\x28\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0" \
	"VP8 \x0a\0\0\0xxx\x9d\x01\x2a\0\x30\0\x20"
#define WEBP_WIDE_CANVAS \
	"RIFF\x28\0\0\0WEBPVP8 \x0a\0\0\0xxx\x9d\x01\x2a\x03\0\x02\0" \
	"VP8X\x0a\0\0\0\0\0\0\0\xff\xff\0\xff\xff\0"
#define WEBP_WIDE_FRAME \
	"RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\2\0\0\0\x02\0\0\x01\0\0" \
	"ANMF\x22\0\0\0\0\0\0\0\0\0\x02\0\0\x01\0\0\x64\0\0\0" \
	"VP8 \x0a\0\0\0xxx\x9d\x01\x2a\0\x30\0\x20"

struct row {
	struct str bytes;
	enum image_type type;
	uint32_t width_px;
	uint32_t height_px;
};

#define ROW(literal, type, width, height) \
	{ \
		{ literal, sizeof(literal) - 1 }, type, width, height \
	}

static const struct row whole[] = {
	ROW(PNG, IMAGE_PNG, 3, 2),
	ROW(PNG_OF("\x7f\xff\xff\xff", "\0\1\0\0"), IMAGE_PNG, 0x7fffffff, 65536),
	ROW(JPEG, IMAGE_JPEG, 3, 2),
	ROW(GIF, IMAGE_GIF, 3, 2),
	ROW(WEBP_LOSSLESS, IMAGE_WEBP, 3, 2),
	ROW(WEBP_EXTENDED, IMAGE_WEBP, 3, 2),
	ROW(WEBP_LOSSY, IMAGE_WEBP, 3, 2),
	ROW(ICO, IMAGE_ICO, 16, 32),
	/* the largest size that any part names is the picture's */
	ROW(GIF_WIDE_FRAME, IMAGE_GIF, 0x5000, 0x6000),
	ROW(GIF_FAR_FRAME, IMAGE_GIF, 0x5003, 0x6002),
	ROW(WEBP_WIDE_CHUNK, IMAGE_WEBP, 0x3000, 0x2000),
	ROW(WEBP_WIDE_CANVAS, IMAGE_WEBP, 65536, 65536),
	ROW(WEBP_WIDE_FRAME, IMAGE_WEBP, 0x3000, 0x2000),
	ROW(ICO_OF(BITMAP_OF("\0\0\1\0", "\0\0\4\0")), IMAGE_ICO, 65536, 131072),
	ROW(ICO_OF(BITMAP_OF("\x10\0\0\0", "\0\0\xfe\xff")), IMAGE_ICO, 16, 65536),
	ROW(ICO_OF(BITMAP_OF("\0\0\0\x80", "\x40\0\0\0")), IMAGE_ICO, 0x80000000, 32),
	/* every frame marker of a JPEG that has a size, padding before a marker, two frames */
	ROW(JPEG_OF("\xc1", "\0\x02\0\x03"), IMAGE_JPEG, 3, 2),
	ROW(JPEG_OF("\xc2", "\xff\xff\0\x03"), IMAGE_JPEG, 3, 65535),
	ROW(JPEG_OF("\xcf", "\0\x02\xff\xff"), IMAGE_JPEG, 65535, 2),
	ROW("\xff\xd8\xff\xff\xff\xe0\0\x04xx" JPEG_FRAME("\xc0", "\0\x02\0\x03") JPEG_SCAN,
	    IMAGE_JPEG, 3, 2),
	ROW("\xff\xd8" JPEG_FRAME("\xc0", "\0\x09\0\x03") JPEG_FRAME("\xc0", "\0\x02\0\x08")
		    JPEG_SCAN,
	    IMAGE_JPEG, 8, 9),
	/* the older version, palettes of the file and of a frame, an extension */
	ROW("GIF87a\x03\0\x02\0\0\0\0,\0\0\0\0\x03\0\x02\0\0\x02\x02xx\0;", IMAGE_GIF, 3, 2),
	ROW("GIF89a\x03\0\x02\0\x80\0\0RGBRGB,\0\0\0\0\x03\0\x02\0\x80RGBRGB\x02\x01x\0;",
	    IMAGE_GIF, 3, 2),
	ROW("GIF89a\x03\0\x02\0\0\0\0!\xfe\x02hi\x01!\0,\0\0\0\0\x03\0\x02\0\0\x02\x02xx\0;",
	    IMAGE_GIF, 3, 2),
	/* a chunk of an odd length, behind which the next begins at an even place */
	ROW("RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0"
	    "EXIF\x05\0\0\0xxxxx\0",
	    IMAGE_WEBP, 3, 2),
	/* an icon of a PNG, whose size the directory does not say */
	ROW("\0\0\1\0\1\0\0\0\0\0\1\0\x20\0\x3b\0\0\0\x16\0\0\0" PNG_OF("\0\0\1\0", "\0\0\2\0"),
	    IMAGE_ICO, 256, 512),
};

static const struct row none[] = {
	ROW("", IMAGE_NONE, 0, 0),
	ROW("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", IMAGE_NONE, 0, 0),
	ROW("<html><body>x</body></html>", IMAGE_NONE, 0, 0),
	ROW("MZ\x90\0", IMAGE_NONE, 0, 0),
	ROW("GIF89a=1;alert(1)", IMAGE_NONE, 0, 0),
	ROW("BM\x46\0\0\0\0\0\0\0\x36\0\0\0", IMAGE_NONE, 0, 0),
	/* a side of nothing */
	ROW(PNG_OF("\0\0\0\0", "\0\0\0\x02"), IMAGE_NONE, 0, 0),
	/* a chunk longer than the file, and one whose length would wrap */
	ROW(PNG_HEAD "\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0crc0\x7f\xff\xff\xffIDATxx", IMAGE_NONE, 0,
	    0),
	ROW(PNG_HEAD "\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0crc0\xff\xff\xff\xffIDATxx", IMAGE_NONE, 0,
	    0),
	/* no picture in it */
	ROW(PNG_HEAD "\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0crc0\0\0\0\0IENDcrc2", IMAGE_NONE, 0, 0),
	/* a size in a segment that is no frame: a table, JPG, arithmetic conditioning */
	ROW(JPEG_OF("\xc4", "\0\x02\0\x03"), IMAGE_NONE, 0, 0),
	ROW(JPEG_OF("\xc8", "\0\x02\0\x03"), IMAGE_NONE, 0, 0),
	ROW(JPEG_OF("\xcc", "\0\x02\0\x03"), IMAGE_NONE, 0, 0),
	ROW(JPEG_OF("\xc0", "\0\0\0\x03"), IMAGE_NONE, 0, 0),
	/* an end of image before the scan, and a segment shorter than its own length */
	ROW("\xff\xd8\xff\xd9" JPEG_SCAN, IMAGE_NONE, 0, 0),
	ROW("\xff\xd8\xff\xe0\0\x01" JPEG_FRAME("\xc0", "\0\x02\0\x03") JPEG_SCAN, IMAGE_NONE, 0,
	    0),
	/* no picture before the end, an unknown block, a side of nothing */
	ROW("GIF89a\x03\0\x02\0\0\0\0!\xfe\x02hi\0;", IMAGE_NONE, 0, 0),
	ROW("GIF89a\x03\0\x02\0\0\0\0x,\0\0\0\0\x03\0\x02\0\0\x02\x02xx\0;", IMAGE_NONE, 0, 0),
	ROW("GIF89a\0\0\0\0\0\0\0,\0\0\0\0\0\0\0\0\0\x02\x02xx\0;", IMAGE_NONE, 0, 0),
	/* another RIFF file, a signature that is none, chunks too short for their size */
	ROW("RIFF\x16\0\0\0WAVEVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0", IMAGE_NONE, 0, 0),
	ROW("RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2e\x02\x40\0\0xxxxxxxx\0", IMAGE_NONE, 0, 0),
	ROW("RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0xxx\x9d\x01\x2b\x03\0\x02\0", IMAGE_NONE, 0, 0),
	ROW("RIFF\x16\0\0\0WEBPVP8X\x09\0\0\0\0\0\0\0\x02\0\0\x01\0\0", IMAGE_NONE, 0, 0),
	ROW("RIFF\x22\0\0\0WEBPVP8X\x0a\0\0\0\2\0\0\0\x02\0\0\x01\0\0ANMF\x04\0\0\0xxxx",
	    IMAGE_NONE, 0, 0),
	/* an ICO without a picture, of another kind of cursor, of 65 pictures, of no known bitmap
	 */
	ROW("\0\0\1\0\0\0\x10\x20\0\0\1\0\x20\0\x28\0\0\0\x16\0\0\0" BITMAP, IMAGE_NONE, 0, 0),
	ROW("\0\0\2\0\1\0\x10\x20\0\0\1\0\x20\0\x28\0\0\0\x16\0\0\0" BITMAP, IMAGE_NONE, 0, 0),
	ROW("\0\0\1\0\x41\0\x10\x20\0\0\1\0\x20\0\x28\0\0\0\x16\0\0\0" BITMAP, IMAGE_NONE, 0, 0),
	ROW("\0\0\1\0\1\0\x10\x20\0\0\1\0\x20\0\x28\0\0\0\x16\0\0\0\x29\0\0\0\x10\0\0\0\x40\0\0\0"
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	    IMAGE_NONE, 0, 0),
	/* an ICO of 65,535 pictures, one that points at its directory, one past the end */
	ROW("\0\0\1\0\xff\xff\x10\x20\0\0\1\0\x20\0\x28\0\0\0\x16\0\0\0" BITMAP, IMAGE_NONE, 0, 0),
	ROW("\0\0\1\0\1\0\x10\x20\0\0\1\0\x20\0\x28\0\0\0\x06\0\0\0" BITMAP, IMAGE_NONE, 0, 0),
	ROW("\0\0\1\0\1\0\x10\x20\0\0\1\0\x20\0\xff\xff\xff\xff\x16\0\0\0" BITMAP, IMAGE_NONE, 0,
	    0),
};

/* On the heap, so that a sanitizer sees a read past the end. */
static bool identify(struct str bytes, size_t len, struct image *image)
{
	char *copy = malloc(len > 0 ? len : 1);
	memcpy(copy, bytes.data, len);
	bool is_image = image_identify(copy, len, image);
	free(copy);
	return is_image;
}

static void kinds_and_sizes_are_told(void **state)
{
	(void)state;
	struct image image;
	for (size_t i = 0; i < ARRAY_LEN(whole); i++) {
		if (!identify(whole[i].bytes, whole[i].bytes.len, &image))
			fail_msg("row %zu is refused", i);
		assert_int_equal(whole[i].type, image.type);
		assert_int_equal(whole[i].width_px, image.width_px);
		assert_int_equal(whole[i].height_px, image.height_px);
	}
}

#define GIF_CLEAR(flags) \
	"GIF89a\x03\0\x02\0\0\0\0!\xf9\x04" flags "\0\0\x01\0,\0\0\0\0\x03\0\x02\0\0\x02\x02xx\0;"
#define PNG_PALETTE(chunk) \
	PNG_HEAD "\0\0\0\x03\0\0\0\x02\x08\x03\0\0\0crc0\0\0\0\x02" chunk \
		 "xxcrc1\0\0\0\x02IDATxxcrc1" \
		 "\0\0\0\0IENDcrc2"

/* What a dark page shows through. */
static void it_is_told_whether_a_picture_is_clear(void **state)
{
	(void)state;
	static const struct {
		struct str bytes;
		bool is_clear;
	} rows[] = {
#define CLEAR_ROW(literal, is_clear) { { literal, sizeof(literal) - 1 }, is_clear }
		CLEAR_ROW(PNG, true),
		CLEAR_ROW(PNG_PALETTE("tRNS"), true),
		CLEAR_ROW(PNG_PALETTE("gAMA"), false),
		CLEAR_ROW(JPEG, false),
		CLEAR_ROW(GIF, false),
		CLEAR_ROW(GIF_CLEAR("\x01"), true),
		CLEAR_ROW(GIF_CLEAR("\x04"), false),
		CLEAR_ROW(WEBP_LOSSY, false),
		CLEAR_ROW(WEBP_LOSSLESS, false),
		CLEAR_ROW("RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x02\x40\0\x10xxxxxxxx\0", true),
		CLEAR_ROW(WEBP_EXTENDED, false),
		CLEAR_ROW("RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\x02\0\0\x01\0\0", true),
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct image image;
		if (!identify(rows[i].bytes, rows[i].bytes.len, &image))
			fail_msg("row %zu is refused", i);
		if (image.is_clear != rows[i].is_clear)
			fail_msg("row %zu is clear: %d", i, image.is_clear);
	}
}

static void what_is_cut_short_is_no_picture(void **state)
{
	(void)state;
	struct image image;
	for (size_t i = 0; i < ARRAY_LEN(whole); i++)
		for (size_t len = 0; len < whole[i].bytes.len; len++)
			if (identify(whole[i].bytes, len, &image))
				fail_msg("row %zu, cut at %zu", i, len);
}

/* What follows a picture is not looked at, whatever it is: browsers do not either. */
static void bytes_behind_a_picture_change_nothing(void **state)
{
	static const char behind[] = "\0\xff\xd9;IEND<script>";
	(void)state;
	struct image image;
	char copy[512];
	for (size_t i = 0; i < ARRAY_LEN(whole); i++) {
		memcpy(copy, whole[i].bytes.data, whole[i].bytes.len);
		memcpy(copy + whole[i].bytes.len, behind, sizeof(behind));
		size_t len = whole[i].bytes.len + sizeof(behind);
		if (!identify((struct str){ copy, len }, len, &image))
			fail_msg("row %zu is refused", i);
		assert_int_equal(whole[i].width_px, image.width_px);
		assert_int_equal(whole[i].height_px, image.height_px);
	}
}

static void each_kind_has_its_extension(void **state)
{
	(void)state;
	assert_string_equal(image_extension(IMAGE_PNG), "png");
	assert_string_equal(image_extension(IMAGE_JPEG), "jpg");
	assert_string_equal(image_extension(IMAGE_GIF), "gif");
	assert_string_equal(image_extension(IMAGE_WEBP), "webp");
	assert_string_equal(image_extension(IMAGE_ICO), "ico");
}

static void a_damaged_byte_never_reads_past_the_end(void **state)
{
	(void)state;
	struct image image;
	char copy[256];
	for (size_t i = 0; i < ARRAY_LEN(whole); i++)
		for (size_t at = 0; at < whole[i].bytes.len; at++)
			for (int byte = 0; byte < 256; byte += 5) {
				memcpy(copy, whole[i].bytes.data, whole[i].bytes.len);
				copy[at] = (char)byte;
				identify((struct str){ copy, whole[i].bytes.len },
					 whole[i].bytes.len, &image);
			}
}

static void others_are_refused(void **state)
{
	(void)state;
	struct image image;
	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		if (identify(none[i].bytes, none[i].bytes.len, &image))
			fail_msg("row %zu is taken", i);
		assert_int_equal(IMAGE_NONE, image.type);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_and_sizes_are_told),
		cmocka_unit_test(it_is_told_whether_a_picture_is_clear),
		cmocka_unit_test(what_is_cut_short_is_no_picture),
		cmocka_unit_test(bytes_behind_a_picture_change_nothing),
		cmocka_unit_test(each_kind_has_its_extension),
		cmocka_unit_test(a_damaged_byte_never_reads_past_the_end),
		cmocka_unit_test(others_are_refused),
	};
	return RUN(tests);
}
