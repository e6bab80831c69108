/* The parts of target_host; only for target_host.c, host_ask.c and host_shared.c. */
#ifndef MIRROR_TARGET_HOST_H
#define MIRROR_TARGET_HOST_H

#include "base/buf.h"
#include "mirror/origin_link.h"
#include "mirror/push/former_search.h"
#include "mirror/target/target.h"
#include "wire/http_client.h"

enum { HOST_REPLY_MAX_BYTES = 64 << 10, HOST_ROUNDS_MAX = 4 };

struct host {
	struct http_client *client;
	struct pages_dir dir;
	char *authorization;
	struct arena arena; /* the memory of one call */
	size_t body_bytes;  /* how many bytes of files are sent together; adapted to the speed of
			       the connection */

	struct origin_link link;
	struct origin_mark accepted; /* the last step that the mirror has accepted */
	int64_t step_at_ms;
	/* The digest that the mirror must have if only this origin sends to it; "": unknown. */
	char digest[2 * SECRET_HASH_BYTES + 1];

	/* The shared data on the mirror. */
	bool has_shared;			/* `lists` is known */
	char secret[2 * SECRET_HASH_BYTES + 1]; /* the last key that was sent, even if the mirror
						   has kept another key */
	struct host_list {
		bool is_there;
		uint8_t sha256[SECRET_HASH_BYTES];
	} lists[FORMER_LISTS];
	/* The state of the search for changed lists. */
	struct former_sizes sizes;
	unsigned next_list;
};

/*
 * Sends a request to the mirror. Returns OK for the status `accepted`. Also returns OK for 204 if
 * the request has a body, and for 200 if it has none. (To a body, a server that is not a mirror may
 * respond 200.) If the mirror belongs to another origin, sends nothing more until this origin takes
 * the mirror over.
 */
enum result host_ask(struct target *target, const char *method, const char *path,
		     const struct buf *body, int accepted, size_t response_max,
		     struct http_client_response *response, struct error *error) MUST_USE;
/*
 * Sends a body, then the files that the mirror requests, until the mirror has accepted the body.
 * E_RETRY: another change is urgent. E_CONFLICT: the mirror has another signing key, and has
 * accepted everything else.
 */
enum result host_send_body(struct target *target, const char *method, const char *path,
			   const struct buf *body, struct page_copy *const *pages, size_t count,
			   struct error *error) MUST_USE;
bool host_begins_with(struct str body, const char *line);

/* Reads the id and the step that this origin sends to the mirror. Returns E_REFUSED if the mirror
 * follows another origin. */
enum result host_read_origin(struct target *target, struct error *error) MUST_USE;
/* Makes the next step (see mirror/origin_mark.h) if the mirror has accepted the last step. */
enum result host_make_step(struct target *target, struct error *error) MUST_USE;

/* See struct target_kind. */
enum result host_send_shared(struct target *target, bool is_new, bool *is_more, struct error *error)
	MUST_USE;
enum result host_take_over(struct target *target, struct arena *arena, const char **key,
			   struct error *error);

#endif
