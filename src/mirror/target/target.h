/*
 * The interface through which the pusher (mirror/push/pusher.h) sends pages; each kind of mirror
 * implements it. A target is used by one thread at a time. Functions may wait for the network, at
 * most TARGET_TIMEOUT_S without progress.
 *
 * E_UNAVAILABLE: the mirror cannot be reached, or is overloaded: try again later. E_REFUSED: the
 * mirror responds and refuses (a wrong key, say): try again later, and tell the operator. E_FAILED:
 * something on this machine is wrong. The error's log text has the reason without secrets.
 */
#ifndef MIRROR_TARGET_TARGET_H
#define MIRROR_TARGET_TARGET_H

#include "mirror/mirror.h"
#include "mirror/page_copy.h"

enum { TARGET_TIMEOUT_S = 10 };

/* A page of the mirror. */
struct target_page {
	int64_t page_id; /* the first member, for id_order() */
	char version[PAGE_COPY_VERSION_CHARS + 1];
};

struct target_pages {
	struct target_page *rows; /* owned by the arena */
	size_t count;
};

struct target;

struct target_kind {
	/* The mirror gets all pages after each change. `list` and `send` do not get single
	 * pages. */
	bool is_whole;
	/*
	 * Only public pages may be on the mirror: a page with privacy above 0 is sent as a page
	 * that is gone.
	 */
	bool is_public_only;
	enum result (*open)(struct target *target, const struct mirror *mirror,
			    const struct config *config, struct error *error);
	void (*close)(struct target *target);
	/*
	 * Lists the pages that the mirror has. The pusher calls it before the first `send`, and
	 * again after a failure. Between a failure and the next list the pusher sends only urgent
	 * pages. NULL if is_whole.
	 */
	enum result (*list)(struct target *target, struct arena *arena, struct target_pages *pages,
			    struct error *error);
	/*
	 * Sends whole pages. After OK the mirror has confirmed all of them. After a failure the
	 * mirror may have some of them, each completely. A reader of the mirror never sees a file
	 * that refers to a file which the mirror lacks. If is_whole, count is 0.
	 */
	enum result (*send)(struct target *target, struct page_copy *const *pages, size_t count,
			    struct error *error);
	/*
	 * Sends the first part (is_new) or the next part of the shared data (mirror/shared_data.h).
	 * Sets *is_more if the pusher must call it again. After a failure the next call sends the
	 * same part again. NULL: the kind of mirror needs no shared data.
	 */
	enum result (*send_shared)(struct target *target, bool is_new, bool *is_more,
				   struct error *error);
	/*
	 * Called about every 10 seconds, and after each send: tells the mirror that it has all
	 * pages (is_complete), or that pages are still to come. NULL: the kind has no beat.
	 */
	enum result (*beat)(struct target *target, bool is_complete, struct error *error);
	/*
	 * Makes the mirror follow this origin. Sets *key to the mirror's signing key in
	 * hexadecimal, owned by the arena, or to NULL. The function is NULL if mirrors of the kind
	 * do not know their origin.
	 */
	enum result (*take_over)(struct target *target, struct arena *arena, const char **key,
				 struct error *error);
};

struct target {
	const struct target_kind *kind;
	const struct mirror *mirror;
	const struct config *config;
	void *own; /* the data of the kind */
	/* Whether `send` must end with E_RETRY because another change is urgent. Called between two
	 * requests. The mirror keeps the pages that were already sent. NULL: `send` is never
	 * interrupted. */
	bool (*gives_way)(void *context);
	void *context;
	/* Set by the kind according to the last responses. */
	bool has_other_origin; /* the mirror follows another origin: E_REFUSED */
	bool has_other_key;    /* the mirror has another signing key, and has kept it */
	bool is_changed; /* another origin or a person has changed the mirror: compare the pages */
};

const struct target_kind *target_kind_of(const struct mirror *mirror);

extern const struct target_kind target_host;
extern const struct target_kind target_bucket;
extern const struct target_kind target_command;

#endif
