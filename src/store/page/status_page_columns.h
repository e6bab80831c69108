/*
 * The columns of status_pages as parts of SQL literals, and as lists of struct field that bind and
 * read their values. For statements that write or read a whole page.
 */
#ifndef STORE_PAGE_STATUS_PAGE_COLUMNS_H
#define STORE_PAGE_STATUS_PAGE_COLUMNS_H

#include "domain/page/status_page.h"
#include "store/columns.h"

/* clang-format off */
/* Columns that the service sets, in addition to the fields in domain/page/status_page_fields.h. */
#define SERVICE_COLUMNS(COLUMN) \
	COLUMN(logo_file, logo_file) \
	COLUMN(logo_dark_file, logo_dark_file) \
	COLUMN(header_image_file, header_image_file) \
	COLUMN(favicon_file, favicon_file) \
	COLUMN(domain_proven_at, domain_proof.proven_at) \
	COLUMN(domain_checked_at, domain_proof.checked_at) \
	COLUMN(domain_missing_since, domain_proof.missing_since) \
	COLUMN(domain_lost_at, domain_proof.lost_at) \
	COLUMN(updated_at, updated_at)

#define SERVICE_ROW(column, member) FIELD_NAMED(struct status_page, member, #column),
#define SERVICE_NAME(column, member) #column ", "
#define SERVICE_MARK(column, member) "?, "
#define SERVICE_SET(column, member) #column " = ?, "
#define SERVICE_READ(column, member) "p." #column ", "

/* The columns that INSERT and UPDATE write. Both statements also write password_hash, which is not
 * in these lists. */
#define WRITTEN_ROWS \
	STATUS_PAGE_FIELDS(COLUMN_SET_ROW, struct status_page, 0) SERVICE_COLUMNS(SERVICE_ROW)
#define WRITTEN_NAMES STATUS_PAGE_FIELDS(COLUMN_INSERT, , 0) SERVICE_COLUMNS(SERVICE_NAME)
#define WRITTEN_MARKS STATUS_PAGE_FIELDS(COLUMN_MARK, , 0) SERVICE_COLUMNS(SERVICE_MARK)
#define WRITTEN_SETS STATUS_PAGE_FIELDS(COLUMN_SET, , 0) SERVICE_COLUMNS(SERVICE_SET)

/* Further columns that only a SELECT has. The alias of status_pages is `p`. */
#define OTHER_ROWS \
	SERVICE_ROW(id, id) SERVICE_ROW(account_id, account_id) SERVICE_ROW(version, version) \
	SERVICE_ROW(created_at, created_at) SERVICE_ROW(has_password, has_password) \
	SERVICE_ROW(monitor_ids, monitor_ids)
#define OTHER_READ \
	"p.id, p.account_id, p.version, p.created_at, " \
	"p.password_hash IS NOT NULL AS has_password, " \
	"(SELECT GROUP_CONCAT(s.monitor_id ORDER BY s.position) FROM status_page_monitors s " \
	"WHERE s.status_page_id = p.id AND s.is_retired IS NULL) AS monitor_ids "

/* A list omits the LONG fields, which may have 128 KiB in each row. */
#define LISTED_ROWS \
	STATUS_PAGE_FIELDS(COLUMN_SHORT_ROW, struct status_page, 0) \
	SERVICE_COLUMNS(SERVICE_ROW) OTHER_ROWS
#define LISTED_COLUMNS \
	STATUS_PAGE_FIELDS(COLUMN_SHORT, "p.", 0) SERVICE_COLUMNS(SERVICE_READ) OTHER_READ
#define PAGE_ROWS \
	STATUS_PAGE_FIELDS(COLUMN_READ_ROW, struct status_page, 0) \
	SERVICE_COLUMNS(SERVICE_ROW) OTHER_ROWS
#define PAGE_COLUMNS \
	STATUS_PAGE_FIELDS(COLUMN_READ, "p.", 0) SERVICE_COLUMNS(SERVICE_READ) OTHER_READ
/* clang-format on */

#endif
