/*
 * The mirrors that the configuration names: copies of the published pages on other machines, which
 * stay up when this machine does not (contract section 13).
 *
 * A setting `mirror` is one of:
 *
 *   https://HOST[:PORT][/PATH] key=KEY
 *       another host that runs this program in the mirror role; see mirror/protocol.h
 *   s3:https://ENDPOINT/BUCKET[/PREFIX] region=REGION access_key=ID secret_key=SECRET
 *       an S3-compatible bucket, for public pages only
 *   command:COMMAND LINE
 *       a command of the operator, run by /bin/sh after changes
 *
 * The first two kinds also accept name=NAME and ca_file=PATH. Plain http:// is accepted for
 * loopback addresses only.
 */
#ifndef MIRROR_MIRROR_H
#define MIRROR_MIRROR_H

#include <stddef.h>

#include "base/arena.h"
#include "base/config/config.h"
#include "base/error.h"

enum mirror_kind {
	MIRROR_HOST,
	MIRROR_BUCKET,
	MIRROR_COMMAND,
};

enum {
	MIRRORS_MAX = 16,
	MIRROR_NAME_MAX = 63, /* letters, digits, '.', '-' and '_'; not a '.' at the beginning */
};

struct mirror {
	enum mirror_kind kind;
	/* The mirror's unique name, for messages, for `X-Daymark-Mirrors`, and for its folder in
	 * DIR/mirror/. The default is the host, the bucket, or the name of the program. */
	const char *name;
	const char *url;     /* without a slash at the end, and for a bucket without "s3:" */
	const char *command; /* only for MIRROR_COMMAND */
	const char *key;     /* only for MIRROR_HOST */
	const char *region;  /* region, access_key and secret_key: only for MIRROR_BUCKET */
	const char *access_key;
	const char *secret_key;
	const char *ca_file; /* trusted certificate authorities; NULL: those of the system */
};

struct mirrors {
	struct mirror *rows; /* owned by the arena */
	size_t count;
};

/* Parses all `mirror` settings. E_INVALID: the error names the mirror and the option, and never
 * contains a key. */
enum result mirrors_parse(const struct config *config, struct arena *arena, struct mirrors *mirrors,
			  struct error *error) MUST_USE;

/* Whether any mirror is a command of the operator. */
bool mirrors_have_command(const struct mirrors *mirrors);

#endif
