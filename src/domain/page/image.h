/*
 * Detects the type and size of a picture by its structure.
 *
 * The functions walk headers and the lengths of blocks. They decode no pixel and inflate nothing,
 * so a hostile picture costs no more than its reading. A file that ends within its structure is not
 * a picture.
 */
#ifndef DOMAIN_PAGE_IMAGE_H
#define DOMAIN_PAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum image_type { IMAGE_NONE, IMAGE_PNG, IMAGE_JPEG, IMAGE_GIF, IMAGE_WEBP, IMAGE_ICO };

struct image {
	enum image_type type;
	uint32_t width_px; /* if the file has several pictures, the largest of them */
	uint32_t height_px;
	bool is_clear; /* the picture may have transparent parts */
};

/* Finds the type and the size of a picture. False, with type IMAGE_NONE: none of the five types. */
bool image_identify(const void *bytes, size_t len, struct image *image);

/* "png", "jpg", "gif", "webp", "ico" */
const char *image_extension(enum image_type type);

#endif
