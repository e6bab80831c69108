/* Makes deliveries from the rows of the outbox. */
#ifndef NOTIFY_EXPAND_H
#define NOTIFY_EXPAND_H

#include "store/notify/notice.h"

/*
 * Claims rows of the outbox and makes their deliveries, in one transaction. Sets *is_more if more
 * rows may wait, so that the caller must call it again. A row whose payload cannot be read gets no
 * deliveries, but a line in the log.
 */
enum result expand_outbox(struct db *db, bool *is_more, struct error *error) MUST_USE;

/* Reads the systems and pages that the payload names. *scope is empty if the payload cannot be
 * read. E_BUSY: memory is short. */
enum result expand_read_scope(const char *payload, struct arena *arena, struct notice_scope *scope,
			      struct error *error) MUST_USE;

#endif
