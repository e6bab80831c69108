/*
 * The interface through which the pusher (mirror/push/pusher.h) sends pages; each kind of mirror
 * implements it. A target is used by one thread at a time. A function may wait for the network, but
 * ends after TARGET_TIMEOUT_S without progress.
 *
 * E_UNAVAILABLE: the mirror cannot be reached, or is overloaded: try again later. E_REFUSED: the
 * mirror refuses the request (a wrong key, say): try again later, and tell the operator. E_FAILED:
 * something on this machine is wrong. The error's text for the log has the reason without secrets.
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
	 * after a failure. Between the failure and this call the pusher sends only urgent pages.
	 * NULL if is_whole.
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
	 * Sends a part of the shared data (mirror/shared_data.h): the first part if is_new,
	 * otherwise the next part. Sets *is_more if another call must follow. After a failure the
	 * next call repeats the part. NULL: mirrors of this kind need no shared data.
	 */
	enum result (*send_shared)(struct target *target, bool is_new, bool *is_more,
				   struct error *error);
	/*
	 * Tells the mirror whether it has all pages (is_complete), or will get more. The pusher
	 * calls it about every 10 seconds, and after each `send`. NULL: mirrors of this kind get no
	 * beats.
	 */
	enum result (*beat)(struct target *target, bool is_complete, struct error *error);
	/*
	 * Makes the mirror follow this origin. Sets *key to the mirror's signing key in
	 * hexadecimal, owned by the arena, or to NULL. The function is NULL if mirrors of this kind
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
	/* Whether an urgent page is due, so that `send` must end with E_RETRY. `send` calls it
	 * between two requests. The mirror keeps the pages that it already got. NULL: `send` is not
	 * interrupted. */
	bool (*gives_way)(void *context);
	void *context;
	/* The functions of the kind set the next members according to the mirror's responses. */
	bool has_other_origin; /* the mirror follows another origin: E_REFUSED */
	bool has_other_key;    /* the mirror has another signing key, and has kept it */
	bool is_changed; /* another origin or a person has changed the mirror: compare the pages */
};

const struct target_kind *target_kind_of(const struct mirror *mirror);

extern const struct target_kind target_host;
extern const struct target_kind target_bucket;
extern const struct target_kind target_command;

#endif
