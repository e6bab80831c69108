/*
 * The rows that a page is read from, in one statement: of several kinds and in any order,
 * since to sort them here costs less than a temporary table there. Only for page_content.
 */
#ifndef STORE_PAGE_ROWS_H
#define STORE_PAGE_ROWS_H

#include "db/db.h"
#include "store/page_content.h"

enum {
	PAGE_ROW_PAGE,
	PAGE_ROW_MONITOR,
	PAGE_ROW_INCIDENT,
	PAGE_ROW_MONTH,
	PAGE_ROW_TEXT,
	PAGE_ROW_NEWEST
};

/* A row of any kind; what the others have is empty. */
struct page_row {
	int64_t kind;
	int64_t id;
	const char *name;
	struct instant created_at;
	struct instant updated_at;
	/* of a page */
	int64_t revision; /* of a month, too, which is in started_at */
	const char *slug;
	const char *domain;
	int privacy;
	const char *website_url;
	const char *contact_url;
	const char *meta_title;
	const char *meta_description;
	bool noindex;
	const char *logo_file;
	const char *favicon_file;
	const char *custom_css;
	const char *custom_js;
	int64_t account_id;
	const char *password_hash;
	bool show_causes;
	/* of a monitor, whose record begins at started_at and which was retired at ended_at */
	int64_t position;
	/* of an incident; `id` is then its monitor's */
	int64_t incident_id;
	struct instant started_at;
	struct instant acknowledged_at;
	struct instant ended_at;
	/* of a text, which has its title in `name`; `incident_id` is then its incident */
	const char *cause;
	const char *comment;
};
extern const struct fields page_row_fields;

enum result page_rows_read(struct db *db, const struct page_content_query *query,
			   struct db_rows **found, struct error *error) MUST_USE;

#endif
