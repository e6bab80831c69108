/*
 * Detects the type and size of a picture by its structure.
 *
 * The functions read only headers and the lengths of blocks. They decode and inflate nothing, so a
 * hostile picture costs no more than reading its bytes. A truncated file does not count as a
 * picture.
 */
#ifndef DOMAIN_PAGE_IMAGE_H
#define DOMAIN_PAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum image_type { IMAGE_NONE, IMAGE_PNG, IMAGE_JPEG, IMAGE_GIF, IMAGE_WEBP, IMAGE_ICO };

struct image {
	enum image_type type;
	uint32_t width_px; /* of the largest picture, if the file has several */
	uint32_t height_px;
	bool is_clear; /* the picture may have transparent parts */
};

/* Finds the type and the size of a picture. Returns false, and sets IMAGE_NONE, if the bytes have
 * none of the five types. */
bool image_identify(const void *bytes, size_t len, struct image *image);

/* Returns "png", "jpg", "gif", "webp" or "ico"; "bin" for IMAGE_NONE. */
const char *image_extension(enum image_type type);

#endif
