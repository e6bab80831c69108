/*
 * Builds the column lists of SQL statements from the table of a resource's fields: see
 * domain/field_table.h. Each macro expands to a part of an SQL literal: column names, or
 * placeholders. The names are quoted, because some are reserved words. Each part ends with a comma,
 * so the statement must name at least one more column after it.
 *
 * A macro whose name ends with _ROW expands to a list of struct field for these columns, in the
 * same order. The fields bind or read the values.
 */
#ifndef STORE_COLUMNS_H
#define STORE_COLUMNS_H

#include "db/sql.h"
#include "domain/field_table.h"

/* clang-format off */
/*
 * For INSERT INTO t (COLUMN_INSERT... id) VALUES (COLUMN_MARK... NULL). In COLUMN_INSERT_ROW, `of`
 * is the C struct of a row.
 */
#define COLUMN_INSERT(of, kind, type, name, ...) FIELD_WHERE(INSERTED, kind, "`" #name "`, ")
#define COLUMN_MARK(of, kind, type, name, ...) FIELD_WHERE(INSERTED, kind, "?, ")
#define COLUMN_INSERT_ROW(of, kind, type, name, ...) FIELD_WHERE(INSERTED, kind, FIELD(of, name),)

/* For UPDATE t SET COLUMN_SET... updated_at = ? */
#define COLUMN_SET(of, kind, type, name, ...) FIELD_WHERE(UPDATED, kind, "`" #name "` = ?, ")
#define COLUMN_SET_ROW(of, kind, type, name, ...) FIELD_WHERE(UPDATED, kind, FIELD(of, name),)

/* For SELECT COLUMN_READ... t.id FROM t. In COLUMN_READ, `of` is the table with a dot: "t." */
#define COLUMN_READ(of, kind, type, name, ...) FIELD_WHERE(READ, kind, of "`" #name "`, ")
#define COLUMN_READ_ROW(of, kind, type, name, ...) FIELD_WHERE(READ, kind, FIELD(of, name),)

/* The columns that lists read: COLUMN_READ without LONG fields. */
#define COLUMN_SHORT(of, kind, type, name, ...) FIELD_WHERE(SHORT, kind, of "`" #name "`, ")
#define COLUMN_SHORT_ROW(of, kind, type, name, ...) FIELD_WHERE(SHORT, kind, FIELD(of, name),)

/* The columns of the resource's second table, such as monitor_checks. COLUMN_SIDE_SET is for ON
 * DUPLICATE KEY UPDATE. */
#define COLUMN_SIDE(of, kind, type, name, ...) FIELD_WHERE(SIDE, kind, of "`" #name "`, ")
#define COLUMN_SIDE_MARK(of, kind, type, name, ...) FIELD_WHERE(SIDE, kind, "?, ")
#define COLUMN_SIDE_SET(of, kind, type, name, ...) \
	FIELD_WHERE(SIDE, kind, "`" #name "` = VALUES(`" #name "`), ")
#define COLUMN_SIDE_ROW(of, kind, type, name, ...) FIELD_WHERE(SIDE, kind, FIELD(of, name),)
/* clang-format on */

/* Adds the fields' values in the struct `row` as arguments of the statement. */
static inline void columns_bind(struct sql_build *sql, struct fields fields, const void *row)
{
	for (size_t i = 0; i < fields.count; i++)
		sql_field(sql, &fields.rows[i], row);
}

#endif
