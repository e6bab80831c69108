/*
 * The messages that were sent, but whose outcome is not in the database yet. Each process has a
 * file for them in the pages folder. A process that is killed leaves its file. The next process
 * stores the content in the database, so that these messages are not sent again. The file is not
 * synced: a loss of power may repeat messages.
 */
#ifndef NOTIFY_SENT_JOURNAL_H
#define NOTIFY_SENT_JOURNAL_H

#include "store/notify/notice.h"

struct sent_journal {
	int folder_fd;
	int fd; /* -1: the file cannot be written, and nothing is kept */
	char name[32];
};

/* Creates the file for the messages of this lease. Without the pages folder, the journal does
 * nothing. */
void sent_journal_open(struct sent_journal *journal, const char *pages_dir, int64_t lease);
/* Removes the file if is_stored; otherwise the next process stores its messages in the database. */
void sent_journal_close(struct sent_journal *journal, bool is_stored);
/* Adds a message that was accepted. Several threads may call it. */
void sent_journal_add(const struct sent_journal *journal, const struct notice_outcome *outcome);
/* Empties the file, because the database has its messages. */
void sent_journal_clear(const struct sent_journal *journal);
/* Stores the messages that the files of killed processes name, and removes these files. */
enum result sent_journal_recover(const struct sent_journal *journal, struct db *db,
				 struct error *error) MUST_USE;

#endif
