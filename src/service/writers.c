#include "service/writers.h"

#include <pthread.h>

/* More places than a process has threads. A write that finds no place is not counted. */
enum { PLACES = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	int64_t account_id; /* 0: free */
	int64_t began_ms;
} places[PLACES];

bool writers_enter(int64_t account_id, int64_t now_ms, int64_t most, int *ticket)
{
	int64_t stuck = 0;
	int place = WRITERS_NOT_COUNTED;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < PLACES; i++) {
		if (places[i].account_id == 0 && place == WRITERS_NOT_COUNTED)
			place = i;
		stuck += places[i].account_id == account_id &&
			 now_ms - places[i].began_ms > WRITERS_STUCK_MS;
	}
	bool may_enter = stuck < most;
	if (may_enter && place != WRITERS_NOT_COUNTED) {
		places[place].account_id = account_id;
		places[place].began_ms = now_ms;
	}
	pthread_mutex_unlock(&lock);
	*ticket = place;
	return may_enter;
}

void writers_leave(int ticket)
{
	if (ticket == WRITERS_NOT_COUNTED)
		return;
	pthread_mutex_lock(&lock);
	places[ticket].account_id = 0;
	pthread_mutex_unlock(&lock);
}
