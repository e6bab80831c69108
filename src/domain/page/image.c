#include "domain/page/image.h"

#include <string.h>

struct bytes {
	const uint8_t *at;
	size_t len;
};

static uint32_t be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t be32(const uint8_t *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static uint32_t le16(const uint8_t *p)
{
	return (uint32_t)p[1] << 8 | p[0];
}

static uint32_t le24(const uint8_t *p)
{
	return (uint32_t)p[2] << 16 | le16(p);
}

static uint32_t le32(const uint8_t *p)
{
	return le16(p + 2) << 16 | le16(p);
}

static bool has(struct bytes bytes, size_t offset, const char *wanted, size_t len)
{
	return offset <= bytes.len && len <= bytes.len - offset &&
	       memcmp(bytes.at + offset, wanted, len) == 0;
}

static bool set_size(struct image *image, enum image_type type, uint32_t width_px,
		     uint32_t height_px)
{
	if (width_px == 0 || height_px == 0)
		return false;
	*image = (struct image){ type, width_px, height_px, image->is_clear };
	return true;
}

/* Keeps the largest width and height in the file. A decoder may allocate memory for this size. */
static void grow(struct image *image, uint32_t width_px, uint32_t height_px)
{
	if (width_px > image->width_px)
		image->width_px = width_px;
	if (height_px > image->height_px)
		image->height_px = height_px;
}

/* PNG (ISO/IEC 15948): a signature, then chunks from IHDR to IEND. */
static bool identify_png(struct bytes bytes, struct image *image)
{
	size_t offset = 8;
	if (!has(bytes, 0, "\x89PNG\r\n\x1a\n", 8) || !has(bytes, 12, "IHDR", 4) ||
	    bytes.len < 33 || be32(bytes.at + 8) != 13)
		return false;
	bool has_data = false;
	/* Byte 25 is the colour type. Its bit 0x04 is set if there is an alpha channel. */
	image->is_clear = bytes.at[25] & 4;
	while (bytes.len - offset >= 12) {
		size_t chunk_len = be32(bytes.at + offset);
		if (chunk_len > bytes.len - offset - 12)
			return false;
		has_data = has_data || has(bytes, offset + 4, "IDAT", 4);
		image->is_clear = image->is_clear || has(bytes, offset + 4, "tRNS", 4);
		if (has(bytes, offset + 4, "IEND", 4))
			return has_data &&
			       set_size(image, IMAGE_PNG, be32(bytes.at + 16), be32(bytes.at + 20));
		offset += chunk_len + 12;
	}
	return false;
}

static bool is_jpeg_frame(uint8_t marker)
{
	/* The markers SOF0 to SOF15. DHT, JPG and DAC are in the same range, but are no frames. */
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 &&
	       marker != 0xcc;
}

/* JPEG (ITU-T T.81): segments up to the scan, and an end marker somewhere after the scan. */
static bool identify_jpeg(struct bytes bytes, struct image *image)
{
	struct image largest = { 0 };
	size_t offset = 2;
	if (!has(bytes, 0, "\xff\xd8\xff", 3))
		return false;
	while (bytes.len - offset >= 4 && bytes.at[offset] == 0xff) {
		uint8_t marker = bytes.at[offset + 1];
		if (marker == 0xff) {
			offset++;
			continue;
		}
		size_t segment_len = be16(bytes.at + offset + 2);
		if (marker == 0xd9 || segment_len < 2 || segment_len > bytes.len - offset - 2)
			return false;
		if (is_jpeg_frame(marker) && segment_len >= 8)
			grow(&largest, be16(bytes.at + offset + 7), be16(bytes.at + offset + 5));
		offset += 2 + segment_len;
		if (marker == 0xda)
			return memmem(bytes.at + offset, bytes.len - offset, "\xff\xd9", 2) &&
			       set_size(image, IMAGE_JPEG, largest.width_px, largest.height_px);
	}
	return false;
}

/* Skips GIF sub-blocks and their terminator. Returns false if the file ends before the
 * terminator. */
static bool skip_gif_blocks(struct bytes bytes, size_t *offset)
{
	while (*offset < bytes.len) {
		size_t block_len = bytes.at[*offset];
		*offset += 1 + block_len;
		if (block_len == 0)
			return *offset <= bytes.len;
	}
	return false;
}

static size_t gif_palette_bytes(uint8_t flags)
{
	return flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

/* GIF89a, section 20 on: extensions (0x21) and pictures (0x2c) up to the trailer (0x3b). */
static bool identify_gif(struct bytes bytes, struct image *image)
{
	if ((!has(bytes, 0, "GIF87a", 6) && !has(bytes, 0, "GIF89a", 6)) || bytes.len < 14)
		return false;
	bool has_picture = false;
	struct image largest = { IMAGE_GIF, le16(bytes.at + 6), le16(bytes.at + 8) };
	size_t offset = 13 + gif_palette_bytes(bytes.at[10]);
	while (offset < bytes.len) {
		uint8_t introducer = bytes.at[offset];
		if (introducer == 0x3b)
			return has_picture &&
			       set_size(image, IMAGE_GIF, largest.width_px, largest.height_px);
		if (introducer == 0x21) {
			/* A graphic control extension says whether a colour is transparent. */
			if (has(bytes, offset + 1, "\xf9\x04", 2) && bytes.len - offset >= 8)
				image->is_clear = image->is_clear || bytes.at[offset + 3] & 1;
			offset += 2;
		} else if (introducer == 0x2c && bytes.len - offset >= 11) {
			const uint8_t *frame = bytes.at + offset;
			grow(&largest, le16(frame + 1) + le16(frame + 5),
			     le16(frame + 3) + le16(frame + 7));
			offset += 11 + gif_palette_bytes(frame[9]);
			has_picture = true;
		} else {
			return false;
		}
		if (!skip_gif_blocks(bytes, &offset))
			return false;
	}
	return false;
}

/* Reads the size of the picture from a chunk of this name. Returns false if the chunk is
 * invalid. */
static bool webp_size(struct bytes chunk, const char *name, struct image *largest)
{
	const uint8_t *data = chunk.at;
	if (memcmp(name, "VP8X", 4) == 0) {
		if (chunk.len < 10)
			return false;
		grow(largest, le24(data + 4) + 1, le24(data + 7) + 1);
		largest->is_clear = largest->is_clear || data[0] & 0x10;
	} else if (memcmp(name, "VP8L", 4) == 0) {
		if (chunk.len < 5 || data[0] != 0x2f)
			return false;
		uint32_t packed = le32(data + 1);
		grow(largest, (packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1);
		largest->is_clear = largest->is_clear || packed >> 28 & 1;
	} else if (memcmp(name, "VP8 ", 4) == 0) {
		if (!has(chunk, 3, "\x9d\x01\x2a", 3) || chunk.len < 10)
			return false;
		grow(largest, le16(data + 6) & 0x3fff, le16(data + 8) & 0x3fff);
	}
	return true;
}

enum { RIFF_HEAD = 8, ANMF_HEAD = 16 };

/* Reads the chunks of a WebP file; if `is_frame`, the chunks of an animation's frame. A frame has
 * its position and size before its chunks. */
static bool walk_webp(struct bytes bytes, bool is_frame, struct image *largest)
{
	size_t offset = 0;
	while (offset < bytes.len) {
		if (bytes.len - offset < RIFF_HEAD)
			return false;
		const char *name = (const char *)bytes.at + offset;
		size_t chunk_len = le32(bytes.at + offset + 4);
		if (chunk_len > bytes.len - offset - RIFF_HEAD)
			return false;
		struct bytes chunk = { bytes.at + offset + RIFF_HEAD, chunk_len };
		if (!webp_size(chunk, name, largest))
			return false;
		if (!is_frame && memcmp(name, "ANMF", 4) == 0) {
			if (chunk_len < ANMF_HEAD)
				return false;
			/* The file stores the frame's position divided by 2, and the frame's size
			 * minus 1. */
			grow(largest, 2 * le24(chunk.at) + le24(chunk.at + 6) + 1,
			     2 * le24(chunk.at + 3) + le24(chunk.at + 9) + 1);
			struct bytes frame = { chunk.at + ANMF_HEAD, chunk_len - ANMF_HEAD };
			if (!walk_webp(frame, true, largest))
				return false;
		}
		/* Chunks begin at even offsets. The last chunk may lack its padding byte. */
		offset += RIFF_HEAD + chunk_len + (chunk_len & 1);
	}
	return true;
}

/* WebP (RFC 9649): a RIFF file of chunks, several of which may name a size. */
static bool identify_webp(struct bytes bytes, struct image *image)
{
	struct image largest = { 0 };
	if (!has(bytes, 0, "RIFF", 4) || !has(bytes, 8, "WEBP", 4) || bytes.len < 30)
		return false;
	size_t riff_len = le32(bytes.at + 4);
	if (riff_len < 4 || riff_len > bytes.len - 8 ||
	    (!has(bytes, 12, "VP8X", 4) && !has(bytes, 12, "VP8L", 4) &&
	     !has(bytes, 12, "VP8 ", 4)))
		return false;
	struct bytes chunks = { bytes.at + 12, riff_len - 4 };
	bool is_whole = walk_webp(chunks, false, &largest);
	image->is_clear = largest.is_clear;
	return is_whole && set_size(image, IMAGE_WEBP, largest.width_px, largest.height_px);
}

/* Returns the absolute value of a signed 32-bit number: a bitmap that is stored top down has a
 * negative height. */
static uint32_t magnitude(uint32_t number)
{
	return number >> 31 ? 0 - number : number;
}

/* ICO: a directory of pictures, each a PNG or a bitmap without its file header. */
static bool identify_ico(struct bytes bytes, struct image *image)
{
	enum { HEADER = 6, ENTRY = 16, PICTURES_MAX = 64, BITMAP_HEADER = 40 };
	if (!has(bytes, 0, "\0\0\1\0", 4) || bytes.len < HEADER + ENTRY)
		return false;
	size_t count = le16(bytes.at + 4);
	size_t directory_end = HEADER + count * ENTRY;
	if (count == 0 || count > PICTURES_MAX || directory_end > bytes.len)
		return false;
	struct image largest = { 0 };
	for (size_t i = 0; i < count; i++) {
		const uint8_t *entry = bytes.at + HEADER + i * ENTRY;
		size_t size = le32(entry + 8), offset = le32(entry + 12);
		if (offset < directory_end || offset > bytes.len || size > bytes.len - offset ||
		    size < BITMAP_HEADER)
			return false;
		struct bytes picture = { bytes.at + offset, size };
		/* The directory stores 0 for a size of 256 pixels or more. */
		struct image found = { IMAGE_ICO, entry[0] ? entry[0] : 256,
				       entry[1] ? entry[1] : 256 };
		if (has(picture, 0, "\x89PNG", 4)) {
			if (!identify_png(picture, &found))
				return false;
		} else if (le32(picture.at) == BITMAP_HEADER) {
			/* The bitmap's height is the sum of the heights of its colours and of the
			 * mask after them. */
			grow(&found, magnitude(le32(picture.at + 4)),
			     (magnitude(le32(picture.at + 8)) + 1) / 2);
		} else {
			return false;
		}
		grow(&largest, found.width_px, found.height_px);
	}
	return set_size(image, IMAGE_ICO, largest.width_px, largest.height_px);
}

bool image_identify(const void *data, size_t len, struct image *image)
{
	struct bytes bytes = { data, len };
	*image = (struct image){ 0 };
	bool is_any = identify_png(bytes, image) || identify_jpeg(bytes, image) ||
		      identify_gif(bytes, image) || identify_webp(bytes, image) ||
		      identify_ico(bytes, image);
	if (!is_any)
		*image = (struct image){ 0 };
	return is_any;
}

const char *image_extension(enum image_type type)
{
	static const char *const extensions[] = { "bin", "png", "jpg", "gif", "webp", "ico" };
	return extensions[type];
}
