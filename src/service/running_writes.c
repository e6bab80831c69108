#include "service/running_writes.h"

#include <pthread.h>

/* Each counted write has a place in `places`. Without a free place, a write is not counted. A
 * process has fewer threads than places. */
enum { PLACES = 256 };

struct row {
	enum running_writes_table table;
	int64_t id;
};
struct place {
	int64_t account_id; /* 0: free */
	int64_t began_ms;
	bool lingers;
	struct row rows[RUNNING_WRITES_ROWS_MAX];
	size_t row_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place places[PLACES];

static bool is_stuck(const struct place *place, int64_t now_ms)
{
	return place->account_id != 0 && !place->lingers &&
	       now_ms - place->began_ms > RUNNING_WRITES_STUCK_MS;
}

static bool has_row(const struct place *place, const struct row *row)
{
	for (size_t i = 0; i < place->row_count; i++)
		if (place->rows[i].table == row->table && place->rows[i].id == row->id)
			return true;
	return false;
}

/* Counts the stuck writes that lock the row. Looks only at the places before `end`, and not at
 * `own`. */
static int64_t count_stuck(const struct row *row, const struct place *end, const struct place *own,
			   int64_t now_ms)
{
	int64_t stuck = 0;
	for (const struct place *place = places; place < end; place++)
		stuck += place != own && is_stuck(place, now_ms) && has_row(place, row);
	return stuck;
}

/*
 * Returns true if a row of this write is locked by `most` or more stuck writes in earlier places.
 * Then the write does not count for its account. There may be more than `most`, because many writes
 * of a row can begin before the first of them is stuck.
 */
static bool is_beyond_row(const struct place *place, int64_t now_ms, int64_t most)
{
	for (size_t i = 0; i < place->row_count; i++)
		if (count_stuck(&place->rows[i], place, NULL, now_ms) >= most)
			return true;
	return false;
}

bool running_writes_enter(int64_t account_id, int64_t now_ms,
			  const struct running_writes_limits *limits, int *ticket)
{
	int64_t stuck = 0;
	int free_place = RUNNING_WRITES_NOT_COUNTED;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < PLACES; i++) {
		const struct place *place = &places[i];
		if (place->account_id == 0 && free_place == RUNNING_WRITES_NOT_COUNTED)
			free_place = i;
		stuck += place->account_id == account_id && is_stuck(place, now_ms) &&
			 !is_beyond_row(place, now_ms, limits->row);
	}
	bool may_enter = stuck < limits->account;
	*ticket = may_enter ? free_place : RUNNING_WRITES_NOT_COUNTED;
	if (*ticket != RUNNING_WRITES_NOT_COUNTED)
		places[*ticket] = (struct place){ .account_id = account_id, .began_ms = now_ms };
	pthread_mutex_unlock(&lock);
	return may_enter;
}

bool running_writes_await(int ticket, const struct running_writes_rows *rows, int64_t now_ms,
			  int64_t most)
{
	if (ticket == RUNNING_WRITES_NOT_COUNTED)
		return true;
	struct place *own = &places[ticket];
	bool may_wait = true;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; may_wait && i < rows->count && i < RUNNING_WRITES_ROWS_MAX; i++) {
		const struct row row = { rows->table, rows->ids[i] };
		may_wait = count_stuck(&row, places + PLACES, own, now_ms) < most;
		if (may_wait && own->row_count < RUNNING_WRITES_ROWS_MAX && !has_row(own, &row))
			own->rows[own->row_count++] = row;
	}
	pthread_mutex_unlock(&lock);
	return may_wait;
}

bool running_writes_linger(int64_t account_id, int64_t most, int *ticket)
{
	int64_t lingering = 0;
	*ticket = RUNNING_WRITES_NOT_COUNTED;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < PLACES; i++) {
		if (places[i].account_id == 0)
			*ticket = i;
		lingering += places[i].account_id == account_id && places[i].lingers;
	}
	if (lingering >= most)
		*ticket = RUNNING_WRITES_NOT_COUNTED;
	if (*ticket != RUNNING_WRITES_NOT_COUNTED)
		places[*ticket] = (struct place){ .account_id = account_id, .lingers = true };
	pthread_mutex_unlock(&lock);
	return *ticket != RUNNING_WRITES_NOT_COUNTED;
}

void running_writes_leave(int ticket)
{
	if (ticket == RUNNING_WRITES_NOT_COUNTED)
		return;
	pthread_mutex_lock(&lock);
	places[ticket].account_id = 0;
	pthread_mutex_unlock(&lock);
}
