/*
 * The recorder of a checker that runs elsewhere, by HTTP in place of the database: reads the
 * monitors of its location, and sends the results of their checks
 * (domain/monitor/check_exchange.h).
 *
 * While the centre is away the checks go on. What is not sent stays in memory, as in every
 * recorder, and is kept with the list in a file of the pages folder (0600, since it has secrets),
 * so that a checker that starts meanwhile goes on with it. Gaps and reports are the business of
 * the centre, which judges by the states.
 *
 * All times are by the clock of the centre, which its responses tell. If the centre refuses the
 * key, nothing is checked until it takes the key again, and what was found stays in the file.
 */
#ifndef CHECK_REMOTE_H
#define CHECK_REMOTE_H

#include "check/recorder.h"

struct watch;
struct records;
struct remote;

/* E_FAILED: libcurl is missing, or the folder of the file cannot be opened. */
enum result remote_open(struct remote **remote, struct recorder *recorder, struct error *error)
	MUST_USE;
void remote_close(struct remote *remote);

/* A turn of the part that reads lists, in its thread: every REMOTE_LIST_MS. */
enum { REMOTE_LIST_MS = 5000 };
enum result remote_read(struct remote *remote, struct watch *watch) MUST_USE;
/* Sends the batch, in the thread of the records. E_FAILED: the centre refuses what is in it. */
enum result remote_store(struct remote *remote, const struct records *records, struct error *error)
	MUST_USE;
/* Keeps the list and what was found in the file: a new list, what could not be sent, at most every
 * few seconds, and what `is_urgent`. */
void remote_keep(struct remote *remote, bool is_urgent);
/* After the recorder has taken the list, in the thread of the loop: takes over older hours. */
void remote_take_list(struct remote *remote);

#endif
