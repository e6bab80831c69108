/*
 * A file in the pages folder for each process that sends messages. It lists the messages that were
 * sent, but whose outcome is not in the database yet. If the process is killed, another process
 * stores the outcomes in the database, so that the messages are not sent a second time. The file is
 * not synced: after a loss of power some messages may be sent twice.
 */
#ifndef NOTIFY_SENT_JOURNAL_H
#define NOTIFY_SENT_JOURNAL_H

#include "store/notify/notice.h"

struct sent_journal {
	int folder_fd;
	int fd; /* -1: the file cannot be written, so no message is recorded */
	char name[32];
};

/* Creates the file for the messages of this lease. If the pages folder cannot be opened, no message
 * is recorded. */
void sent_journal_open(struct sent_journal *journal, const char *pages_dir, int64_t lease);
/* If is_stored is true, removes the file. Otherwise another process stores its messages in the
 * database. */
void sent_journal_close(struct sent_journal *journal, bool is_stored);
/* Adds a message that the receiver has accepted. Several threads may call it at the same time. */
void sent_journal_add(const struct sent_journal *journal, const struct notice_outcome *outcome);
/* Empties the file. The database must have all its messages. */
void sent_journal_clear(const struct sent_journal *journal);
/* Stores the messages from the files of killed processes in the database, and removes these
 * files. */
enum result sent_journal_recover(const struct sent_journal *journal, struct db *db,
				 struct error *error) MUST_USE;

#endif
