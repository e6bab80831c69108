/*
 * Which messages a sender has sent that the database does not know of yet: a file of the pages
 * folder, one for each process. A process that is killed leaves its file, and the next process
 * stores what is in it, so that these messages are not sent again. The file is not synced: a loss
 * of power may repeat messages.
 */
#ifndef NOTIFY_SENT_JOURNAL_H
#define NOTIFY_SENT_JOURNAL_H

#include "store/notify/notice.h"

struct sent_journal {
	int folder_fd;
	int fd; /* -1: the file cannot be written, and nothing is kept */
	char name[32];
};

/* `lease` is that of the messages. Without the pages folder nothing is kept. */
void sent_journal_open(struct sent_journal *journal, const char *pages_dir, int64_t lease);
/* Removes the file, unless its messages are not stored: then the next process stores them. */
void sent_journal_close(struct sent_journal *journal, bool is_stored);
/* Adds a message that was accepted. Several threads may call it. */
void sent_journal_add(const struct sent_journal *journal, const struct notice_outcome *outcome);
/* Forgets all messages: the database has them. */
void sent_journal_clear(const struct sent_journal *journal);
/* Stores the sent messages that the files of killed processes name, and removes these files. */
enum result sent_journal_recover(const struct sent_journal *journal, struct db *db,
				 struct error *error) MUST_USE;

#endif
