/* The parts of target_host; only for mirror/target_host.c and mirror/host_site.c. */
#ifndef MIRROR_HOST_H
#define MIRROR_HOST_H

#include "mirror/site_search.h"
#include "mirror/target.h"
#include "wire/http_client.h"

struct host {
	struct http_client *client;
	struct pages_dir dir;
	char *authorization;
	struct arena arena; /* of one call */
	size_t body_bytes;  /* of files that are sent together; adapted to the line */

	/* What the mirror has of the site. */
	bool has_site; /* it is known */
	char secret[2 * SECRET_HASH_BYTES + 1];
	struct host_list {
		bool is_there;
		uint8_t sha256[SECRET_HASH_BYTES];
	} lists[FORMER_LISTS];
	/* The search that is under way. */
	struct site_sizes sizes;
	unsigned next_list;
};

enum { HOST_REPLY_MAX_BYTES = 64 << 10, HOST_ROUNDS_MAX = 4 };

/*
 * A request to the mirror, for a list if it has no body. A status that the protocol does not have
 * is a failure, unless it is `accepted`.
 */
enum result host_ask(struct target *target, const char *method, const char *path,
		     const struct buf *body, int accepted, size_t response_max,
		     struct http_client_response *response, struct error *error) MUST_USE;
/*
 * Sends a body, and the files of the pages that the mirror then asks for, until it has taken it.
 * E_RETRY: something else is urgent.
 */
enum result host_send_body(struct target *target, const char *method, const char *path,
			   const struct buf *body, struct page_copy *const *pages, size_t count,
			   struct error *error) MUST_USE;

/* send_site of the kind. */
enum result host_send_site(struct target *target, bool is_new, bool *is_more, struct error *error)
	MUST_USE;

#endif
