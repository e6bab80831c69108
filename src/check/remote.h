/*
 * The recorder's connection to the centre, for a checker that runs elsewhere. It uses HTTP instead
 * of the database: it reads the monitors of its location, and sends the results of their checks
 * (domain/monitor/check_exchange.h). The centre makes gaps and reports from these results.
 *
 * The checker also works while it cannot reach the centre. The recorder then keeps unsent results
 * in memory. A file in the pages folder has a copy of these results and of the list of monitors
 * (mode 0600, since the list has secrets). A checker that starts without the centre reads this
 * file.
 *
 * All times are by the centre's clock, which its responses give. While the centre refuses the key,
 * nothing is checked, and the results stay in the file.
 */
#ifndef CHECK_REMOTE_H
#define CHECK_REMOTE_H

#include "check/recorder.h"

struct watch;
struct records;
struct remote;

/* Opens the connection. E_FAILED: libcurl is missing, or the folder of the file cannot be opened.
 */
enum result remote_open(struct remote **remote, struct recorder *recorder, struct error *error)
	MUST_USE;
void remote_close(struct remote *remote);

/* Reads the list of monitors if it was read more than REMOTE_LIST_MS ago. Call it in the thread
 * that reads lists (struct watch). */
enum { REMOTE_LIST_MS = 5000 };
enum result remote_read(struct remote *remote, struct watch *watch) MUST_USE;
/* Sends the batch to the centre. Call it in the thread of the records. E_FAILED: the centre refuses
 * the content. */
enum result remote_store(struct remote *remote, const struct records *records, struct error *error)
	MUST_USE;
/* Writes the list and the results to the file. Without is_urgent, writes the file at most every 10
 * seconds. If the list is unchanged and the results could be sent, writes it at most every 10
 * minutes. */
void remote_keep(struct remote *remote, bool is_urgent);
/* Copies the list for remote_keep(). Gives the recorder the hours from the file that precede each
 * monitor's present hour. Call it in the loop's thread, after the recorder has taken the list. */
void remote_take_list(struct remote *remote);

#endif
