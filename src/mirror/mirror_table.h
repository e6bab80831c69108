/*
 * The pages that a mirror has, in the file DIR/mirror/<name>/pages. The file is a hash table with
 * rows of a fixed size. Only the process that has locked the mirror writes the file. Any process
 * may look pages up at the same time. The table occupies 128 to 256 bytes of the disk for each
 * page. The table is not kept in memory.
 *
 * After a loss of power the file may lack the newest changes. The pusher then first asks the mirror
 * for its list of pages.
 */
#ifndef MIRROR_MIRROR_TABLE_H
#define MIRROR_MIRROR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/secret.h"

enum mirror_row_state {
	MIRROR_ROW_NONE,      /* the mirror does not have the page */
	MIRROR_ROW_SENT,      /* the page was sent; the mirror may have this or another version */
	MIRROR_ROW_CONFIRMED, /* the mirror has this version */
};

struct mirror_row {
	int64_t page_id; /* 0: the row is free */
	uint8_t state;	 /* of enum mirror_row_state */
	uint8_t place;	 /* of enum pages_place; PAGES_PLACES: unknown */
	uint8_t unused[6];
	uint8_t version[SECRET_HASH_BYTES]; /* zeros: not known */
	uint64_t address;		    /* `address` and `access`: see struct page_look */
	uint64_t access;
};

struct mirror_table {
	int folder_fd;
	int fd;
	uint64_t room; /* the number of rows, a power of two */
	uint64_t used; /* the number of rows that are not free */
};
#define MIRROR_TABLE_CLOSED ((struct mirror_table){ -1, -1, 0, 0 })

/* Opens the table in the mirror's folder for writing. Replaces a damaged table by an empty one.
 * folder_fd must outlive the table. E_FAILED: the log has the reason. */
enum result mirror_table_open(struct mirror_table *table, int folder_fd, struct error *error)
	MUST_USE;
void mirror_table_close(struct mirror_table *table);
/* Creates an empty table for about `count` pages. Readers do not see it before
 * mirror_table_replace(). */
enum result mirror_table_begin(struct mirror_table *table, int folder_fd, size_t count,
			       struct error *error) MUST_USE;
/* Closes `old`, and puts the new table in its place. */
enum result mirror_table_replace(struct mirror_table *old, struct mirror_table *table,
				 struct error *error) MUST_USE;

/* Finds the row of a page. If there is none, the state of *row is MIRROR_ROW_NONE. */
enum result mirror_table_find(const struct mirror_table *table, int64_t page_id,
			      struct mirror_row *row, struct error *error) MUST_USE;
enum result mirror_table_put(struct mirror_table *table, const struct mirror_row *row,
			     struct error *error) MUST_USE;
/* Whether the row has this version of the page, in hexadecimal. */
bool mirror_row_is_of(const struct mirror_row *row, const char *version);
/* Notes in the row that the mirror has this version. If the text is not a version, the row gets the
 * state MIRROR_ROW_SENT. */
void mirror_row_confirm(struct mirror_row *row, const char *version);
/* Waits until all rows are on the disk. */
enum result mirror_table_sync(const struct mirror_table *table, struct error *error) MUST_USE;

/* Finds the row of a page, in processes that do not write the table. If there is no table or no
 * row, the state is MIRROR_ROW_NONE. E_FAILED: the table cannot be read. */
enum result mirror_table_look(int folder_fd, int64_t page_id, struct mirror_row *row,
			      struct error *error) MUST_USE;

#endif
