/*
 * A service for tests of its operations, with a separate pages folder for each test, and a caller
 * that stands in for app/: it renders "rendered N", where N counts the tries.
 */
#ifndef INTEGRATION_LIB_SERVICE_H
#define INTEGRATION_LIB_SERVICE_H

#include "integration/lib/pages.h"

#include "service/service.h"

extern struct service service;
extern struct violations violations;
extern struct config config;

/* Before each test: an empty database, an empty pages folder, and the operator as principal. */
int service_clear(void **state);
#define SERVICE_TEST(function) cmocka_unit_test_setup(function, service_clear)

/* The principal: key 7 of the account, or daymarkctl. */
void act_as_key(int64_t account);
void act_as_operator(void);

struct test_caller {
	int tries;
	int admits;
	enum result admit_result;
	enum result render_result;
	void (*in_transaction)(void); /* called when the response is rendered */
	const char *body;	      /* rendered, or replayed */
	int64_t replayed_status;      /* 0: no response was replayed */
};
extern struct test_caller caller;
/* From now on the operations have the caller. */
void use_caller(void);
/* The next operation has the Idempotency-Key; `request` stands for the content of the request. */
void use_idempotency_key(int64_t account, const char *key, const char *request);

#define assert_published(path, text) assert_non_null(strstr(published(path), (text)))
/* Removes the published files of the page, as if nothing had been published yet. */
void unpublish(const char *slug);

/* The events, oldest first, as "kind object monitor detail", where `object` is an id. */
const char *events(void);
const char *event_text(const char *kind, int64_t object_id, int64_t monitor_id, const char *detail);
/*
 * There is one event, of that account (0: of the installation) and service.now, by the
 * principal of the service.
 */
#define assert_one_event(account, kind, object_id, monitor_id, detail) \
	check_one_event((account), event_text((kind), (object_id), (monitor_id), (detail)))
void check_one_event(int64_t account, const char *text);
void forget_events(void);

/* From now on no event can be stored: a transaction that appends one fails as a whole. */
void break_events(void);

#endif
