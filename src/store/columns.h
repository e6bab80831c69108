/*
 * Derives the columns of statements from the table of a resource's fields: see
 * domain/field_table.h. Each macro gives names or marks as parts of an SQL literal. They end with
 * a comma, so a statement names at least one more column after them. To each macro belongs a list
 * of rows in the same order, which binds or reads the values. Names are quoted, since some are
 * reserved words.
 */
#ifndef STORE_COLUMNS_H
#define STORE_COLUMNS_H

#include "db/sql.h"
#include "domain/field_table.h"

/* clang-format off */
/*
 * INSERT INTO t (COLUMN_INSERT... id) VALUES (COLUMN_MARK... NULL); `of` is the struct of the
 * rows.
 */
#define COLUMN_INSERT(of, kind, type, name, ...) FIELD_WHERE(INSERTED, kind, "`" #name "`, ")
#define COLUMN_MARK(of, kind, type, name, ...) FIELD_WHERE(INSERTED, kind, "?, ")
#define COLUMN_INSERT_ROW(of, kind, type, name, ...) FIELD_WHERE(INSERTED, kind, FIELD(of, name),)

/* UPDATE t SET COLUMN_SET... updated_at = ? */
#define COLUMN_SET(of, kind, type, name, ...) FIELD_WHERE(UPDATED, kind, "`" #name "` = ?, ")
#define COLUMN_SET_ROW(of, kind, type, name, ...) FIELD_WHERE(UPDATED, kind, FIELD(of, name),)

/* SELECT COLUMN_READ... t.id FROM; `of` is the table with a dot, "t." */
#define COLUMN_READ(of, kind, type, name, ...) FIELD_WHERE(READ, kind, of "`" #name "`, ")
#define COLUMN_READ_ROW(of, kind, type, name, ...) FIELD_WHERE(READ, kind, FIELD(of, name),)

/* The columns that lists read: COLUMN_READ without LONG fields. */
#define COLUMN_SHORT(of, kind, type, name, ...) FIELD_WHERE(SHORT, kind, of "`" #name "`, ")
#define COLUMN_SHORT_ROW(of, kind, type, name, ...) FIELD_WHERE(SHORT, kind, FIELD(of, name),)

/* The columns of the table beside the resource's own; COLUMN_SIDE_SET is for ON DUPLICATE KEY
 * UPDATE. */
#define COLUMN_SIDE(of, kind, type, name, ...) FIELD_WHERE(SIDE, kind, of "`" #name "`, ")
#define COLUMN_SIDE_MARK(of, kind, type, name, ...) FIELD_WHERE(SIDE, kind, "?, ")
#define COLUMN_SIDE_SET(of, kind, type, name, ...) \
	FIELD_WHERE(SIDE, kind, "`" #name "` = VALUES(`" #name "`), ")
#define COLUMN_SIDE_ROW(of, kind, type, name, ...) FIELD_WHERE(SIDE, kind, FIELD(of, name),)
/* clang-format on */

/* Adds the values of the rows as arguments. */
static inline void columns_bind(struct sql_build *sql, struct fields fields, const void *row)
{
	for (size_t i = 0; i < fields.count; i++)
		sql_field(sql, &fields.rows[i], row);
}

#endif
