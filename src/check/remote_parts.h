/* Internal header for a checker that runs elsewhere. It uses requests to the centre and a file in
 * place of the database. */
#ifndef CHECK_REMOTE_PARTS_H
#define CHECK_REMOTE_PARTS_H

#include "base/buf.h"
#include "check/recorder_parts.h"
#include "domain/monitor/check_exchange.h"

struct http_client;
struct json_object;

enum { REMOTE_LIST_BYTES = 1 << 30 };
struct remote {
	struct recorder *recorder;
	struct http_client *reader, *writer; /* each is used by one thread */
	const char *authorization;
	char etag[128];	 /* the entity tag of the first part of the list; "": none */
	struct buf list; /* the parts of the list, a line for each */
	struct buf kept; /* a copy of `list` for the thread of the loop */
	struct arena arena;
	int64_t read_at_ms, kept_at_ms;
	int64_t ahead_ms; /* the centre's clock minus this machine's */
	bool has_list;
	bool is_changed; /* `kept` has changed since the last attempt to write the file */
	bool is_refused; /* the centre refuses the key: nothing is checked */
	/* The results that were read from the file, sorted by monitor. Their texts are in
	 * `found`. */
	struct arena found;
	struct check_finding *states;
	struct check_found_hour *hours;
	size_t state_count, state_room, hour_count, hour_room;
};

/* remote.c */
/* Decodes `tree` into `object` by the table `fields`. Returns false if `tree` does not match the
 * table. */
bool remote_decode(struct json_object *tree, struct fields fields, void *object,
		   struct arena *arena);
/* Adds a part of the list to `watch`. *next: the id after which the next part begins; 0: this is
 * the last part. */
enum result remote_take_part(struct watch *watch, struct str text, int64_t *next,
			     struct error *error) MUST_USE;
/* Prints a batch of at most CHECK_FINDINGS_MAX states and CHECK_FINDINGS_MAX hours. */
void remote_print(struct buf *out, const struct check_batch *batch);

/* remote_file.c */
/* Replaces results in the list of `watch` by newer results from the file. With is_away, also reads
 * the list from the file. */
void remote_read_file(struct remote *remote, struct watch *watch, bool is_away);

#endif
