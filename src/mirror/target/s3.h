/*
 * Requests to an S3-compatible bucket. Keys are relative to the prefix, the part of the mirror's
 * URL after the bucket. Every key except the marker's begins with "s/" or "d/".
 *
 * The functions return the results that mirror/target/target.h describes. Errors name the operation
 * and the service's error code. They do not contain the service's message, which may repeat secret
 * parts of the request.
 */
#ifndef MIRROR_TARGET_S3_H
#define MIRROR_TARGET_S3_H

#include "base/arena.h"
#include "base/secret.h"
#include "mirror/mirror.h"
#include "wire/http_client.h"

enum { S3_KEY_MAX = 1024 };

struct s3 {
	struct http_client *client;
	const char *root;   /* "https://ENDPOINT/BUCKET" */
	const char *prefix; /* "", or "PREFIX/" */
	const char *signing;
	const struct mirror *mirror;
};

/* Opens the bucket of the mirror. The texts belong to the arena, which must outlive `s3`. */
enum result s3_open(struct s3 *s3, const struct mirror *mirror, struct arena *arena,
		    struct error *error) MUST_USE;
void s3_close(struct s3 *s3);

/* An object to be written or deleted. */
struct s3_change {
	const char *key;
	/* The members up to `bytes` describe an object that is written. */
	const char *content_type; /* NULL: the object is deleted */
	const char *cache_control;
	uint8_t sha256[SECRET_HASH_BYTES];
	struct str data; /* the content; if data.data is NULL, fd has the content */
	int fd;
	int64_t bytes;	  /* the size of the file in fd */
	const char *etag; /* set after success; owned by the arena */
};

/* Makes the changes, several at the same time, in any order. After a failure any of the changes may
 * have been made. */
enum result s3_change_all(struct s3 *s3, struct s3_change *changes, size_t count,
			  struct arena *arena, struct error *error) MUST_USE;
/* Reads a small object. Sets *text to NULL if the object does not exist. */
enum result s3_read(struct s3 *s3, const char *key, size_t max_bytes, struct arena *arena,
		    const char **text, struct error *error) MUST_USE;

/* Called for each object. The keys are in order if the service lists them in order. */
typedef enum result s3_object(void *context, const char *key, const char *etag,
			      struct error *error);
/* Lists the objects whose key begins with `begin`. */
enum result s3_list(struct s3 *s3, const char *begin, s3_object *object, void *context,
		    struct error *error) MUST_USE;

/* Returns the ETag without quotation marks; "-": no ETag, or an ETag with invisible characters. */
const char *s3_etag(const char *etag, struct arena *arena);

#endif
