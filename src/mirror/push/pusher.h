/*
 * Sends the pages of this machine's disk to one mirror. It first sends urgent pages, in separate
 * batches: pages that are removed, and pages that fewer visitors may see. Then it sends the shared
 * data (mirror/shared_data.h), then the other pages in the order of their changes. It reads the
 * changes from the journal. The pusher also compares the version of each page with the version of
 * the mirror. It does so after a start, after a failure, when the journal began anew, and once an
 * hour.
 *
 * The pusher sends nothing if the pages folder is not filled (publish/folder/filled.h), or if the
 * mirror follows another origin. It removes a page from the mirror if the page is known to be
 * deleted (publish/folder/gone.h). If only the mirror has a page, and the page is not known to be
 * deleted, the pusher removes it if there are few such pages. If there are many, a person must
 * confirm their removal.
 *
 * A process that changes pages never waits for a pusher. After a failure a pusher waits a second,
 * after each further failure twice as long, up to a minute. It tries urgent pages each second. Its
 * memory is limited: some 150 bytes for each page during a comparison, and one batch of pages.
 */
#ifndef MIRROR_PUSH_PUSHER_H
#define MIRROR_PUSH_PUSHER_H

#include "base/backoff.h"
#include "mirror/mirror_state.h"
#include "mirror/mirror_table.h"
#include "mirror/push/pending.h"
#include "mirror/target/target.h"

enum {
	PUSHER_POLL_MS = 200,
	PUSHER_BEAT_MS = 10000,
	PUSHER_COMPARE_MS = 3600000,
	PUSHER_RETRY_MS = 1000,
	PUSHER_RETRY_MAX_MS = 60000,
	PUSHER_URGENT_MS = 1000,
};

/* Receives the reports of a pusher. The functions may be NULL. They are called in the pusher's
 * thread. */
struct pusher_observer {
	/* Called with the error of the first failure, and with NULL at the first success after a
	 * failure. */
	void (*turned)(void *context, const struct mirror *mirror, const struct error *failure);
	/* Called after each batch. */
	void (*sent)(void *context, const struct mirror *mirror, size_t sent, size_t waiting);
	void *context;
};

/* During a comparison: the pages that the mirror has and this disk lacks. */
struct push_missing {
	bool has_no_notes; /* this disk has no note of any page */
	int64_t *ids;
	size_t count;
	size_t room;
};

struct pusher {
	/* Set before pusher_open(). */
	const struct config *config;
	const struct mirror *mirror;
	struct pusher_observer observer;

	/* Private: used only by the pusher. */
	struct target target;
	bool is_target_open;
	struct pages_dir dir;
	int folder_fd;
	int lock_fd;
	struct journal journal;
	struct mirror_table table;
	struct pending pending;
	struct mirror_status status;
	struct arena arena; /* memory for a comparison, or for a batch */
	struct push_missing *missing;
	size_t unconfirmed_count; /* pages of the mirror whose removal waits for a person */
	size_t judged_count;	  /* pages that recent comparisons removed from the mirror because
				     this disk lacks them */
	bool is_comparing;	  /* a comparison is due */
	bool is_run_due;	  /* a run of the mirror's command is due */
	bool has_compared;
	bool has_held; /* a page could not be sent, and is tried again later */
	/* The shared data (mirror/shared_data.h). */
	bool is_shared_due;
	bool is_shared_begun;
	struct backoff shared;	/* no part is sent before until_ms, not even after a success */
	int64_t shared_cost_us; /* processor time for the parts of the present search */
	bool is_failing;
	struct backoff retry;
	struct backoff urgent; /* like `retry`, for urgent pages */
	int64_t compare_at_ms;
	int64_t beat_at_ms;
	size_t sent;
	int batch_halves; /* how often the limits of a batch are halved, after failures */
	int refusals;	  /* refused pages in a row */
};

void pusher_init(struct pusher *pusher, const struct config *config, const struct mirror *mirror);
void pusher_done(struct pusher *pusher);
/* Opens the pages folder and the mirror. Sets *is_free to false if another process has locked the
 * mirror. */
enum result pusher_open(struct pusher *pusher, bool *is_free, struct error *error) MUST_USE;
/*
 * Reads the journal, and sends a batch if an attempt is due. Sets *is_more if more can be sent at
 * once. Reports a failure to the observer and in the mirror's status. The next turns try again.
 */
enum result pusher_turn(struct pusher *pusher, bool *is_more, struct error *error) MUST_USE;
/* Compares all pages, and sends the pages that the mirror lacks. Returns the results of target.h,
 * such as E_REFUSED. */
enum result pusher_once(struct pusher *pusher, struct error *error) MUST_USE;

#endif
