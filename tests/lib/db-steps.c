/*
 * db-steps HOSTS USER DATABASE: runs functions of db/ on a real server, step by step. Reads a
 * command from each line of standard input, and answers with a line: the name of the result, and
 * the values that were read. The database has a table steps (a INT PRIMARY KEY, b INT).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "db/db.h"

struct step_row {
	int64_t a;
	int64_t b;
};

static const struct field step_rows[] = { FIELD(struct step_row, a), FIELD(struct step_row, b) };

static struct arena arena;

static enum result select_one(struct db *db, struct sql statement, int64_t *value,
			      struct error *error)
{
	struct sql_build sql;
	struct step_row row = { 0 };
	sql_start(&sql, statement);
	enum result result = db_read_one(db, &sql, FIELDS(step_rows), &row, &arena, error);
	*value = row.a;
	return result;
}

static enum result insert(struct db *db, int64_t number, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO steps (a, b) VALUES (?, 0)"), number);
	return db_write(db, &sql, NULL, error);
}

static enum result insert_work(struct db *db, void *context, struct error *error)
{
	return insert(db, *(const int64_t *)context, error);
}

static enum result step(struct db *db, const char *command, int64_t *value, struct error *error)
{
	int64_t number = 0;
	char word[32] = "";
	long long argument = 0;
	if (sscanf(command, "%31s %lld", word, &argument) < 1)
		return E_MALFORMED;
	number = argument;
	if (strcmp(word, "begin") == 0)
		return db_begin(db, DB_WRITE, error);
	if (strcmp(word, "commit") == 0)
		return db_commit(db, error);
	if (strcmp(word, "insert") == 0)
		return insert(db, number, error);
	if (strcmp(word, "transact") == 0)
		return db_transact(db, DB_WRITE, insert_work, &number, error);
	if (strcmp(word, "port") == 0)
		return select_one(db, SQL("SELECT @@port AS a, 0 AS b"), value, error);
	if (strcmp(word, "sync") == 0)
		return select_one(db, SQL("SELECT @@wsrep_sync_wait AS a, 0 AS b"), value, error);
	if (strcmp(word, "swapped") == 0)
		return select_one(db, SQL("SELECT b, a FROM steps ORDER BY a LIMIT 1"), value,
				  error);
	if (strcmp(word, "union") == 0)
		return select_one(
			db, SQL("SELECT 5 AS a, 6 AS b UNION ALL SELECT 7 AS x, 8 AS y LIMIT 1"),
			value, error);
	return E_MALFORMED;
}

static const char *name_of(enum result result)
{
	switch (result) {
	case OK:
		return "ok";
	case E_CONFLICT:
		return "taken";
	case E_RETRY:
		return "retry";
	case E_UNAVAILABLE:
		return "unavailable";
	case E_REFUSED:
		return "refused";
	case E_UNCERTAIN:
		return "uncertain";
	case E_FAILED:
		return "failed";
	default:
		return "?";
	}
}

int main(int argc, char **argv)
{
	char line[256];
	if (argc != 4)
		return 2;
	struct db_login login = {
		.hosts = argv[1], .user = argv[2], .password = "", .name = argv[3], .timeout_s = 5
	};
	arena_init(&arena, 1 << 20);
	struct db *db = db_new(&login);
	while (fgets(line, sizeof(line), stdin)) {
		struct error error = { 0 };
		int64_t value = 0;
		enum result result = step(db, line, &value, &error);
		printf("%s %lld %s\n", name_of(result), (long long)value,
		       result == OK ? "" : error.log);
		fflush(stdout);
	}
	db_free(db);
	arena_done(&arena);
	return 0;
}
