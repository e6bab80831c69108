/*
 * The loaders of a page's snapshot: each reads one kind of row by one SELECT into one array.
 * For page_content, inside its transaction. A new kind of row is one loader here and its row
 * in page_content.c, one array in domain/page_snapshot.h.
 */
#ifndef STORE_SNAPSHOT_H
#define STORE_SNAPSHOT_H

#include "db/db.h"
#include "domain/page_snapshot.h"

/* Also E_FAILED: there are more rows, or more bytes, than a page may have. */
typedef enum result snapshot_loader(struct db *db, struct page_snapshot *snapshot,
				    struct arena *arena, struct error *error);

snapshot_loader snapshot_load_monitors; /* first: the others need the ids */
snapshot_loader snapshot_load_outages;
snapshot_loader snapshot_load_recent; /* `incidents`; after the outages */
snapshot_loader snapshot_load_newest; /* after the outages */
snapshot_loader snapshot_load_months;

/*
 * Reads all rows. E_FAILED: there are more than shape->limit, or they leave too little room in
 * the arena; `what` names the rows in the log.
 */
enum result snapshot_read(struct db *db, const struct sql_build *sql, const struct db_shape *shape,
			  const char *what, struct arena *arena, struct db_list *list,
			  struct error *error) MUST_USE;

/* Adds the right side of `monitor_id IN`: the page's monitors. There must be one. */
void snapshot_add_monitors(struct sql_build *sql, const struct page_snapshot *snapshot,
			   struct arena *arena);

#endif
