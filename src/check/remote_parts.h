/* The parts of the recorder of a checker that is elsewhere: the requests, and the file. */
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
	struct http_client *reader, *writer; /* a thread uses each */
	const char *authorization;
	char etag[128];	 /* of the first part of the list; "": none */
	struct buf list; /* its parts, a line each */
	struct buf kept; /* the same, for the thread of the loop */
	struct arena arena;
	int64_t read_at_ms, kept_at_ms;
	int64_t ahead_ms; /* the clock of the centre before that of this machine */
	bool has_list;
	bool is_changed; /* `kept` has changed since the last attempt to write the file */
	bool is_refused; /* the centre refuses the key: nothing is checked */
	/* From the file, by monitor; owned by `found`. */
	struct arena found;
	struct check_finding *states;
	struct check_found_hour *hours;
	size_t state_count, state_room, hour_count, hour_room;
};

/* remote.c */
/* Reads an object by the table. False: it does not follow the table. */
bool remote_decode(struct json_object *tree, struct fields fields, void *object,
		   struct arena *arena);
/* Adds a part of the list. *next: behind which monitor the next one begins; 0: there is none. */
enum result remote_take_part(struct watch *watch, struct str text, int64_t *next,
			     struct error *error) MUST_USE;
/* Prints what was found of up to CHECK_FINDINGS_MAX monitors, and as many hours. */
void remote_print(struct buf *out, const struct check_batch *batch);

/* remote_file.c */
/* Overlays the list with what was found after the centre was told. If the centre is away, the list
 * is the one of the file. */
void remote_read_file(struct remote *remote, struct watch *watch, bool is_away);

#endif
