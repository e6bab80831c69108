/*
 * What a checker elsewhere and the service tell each other (contract section 13): the settings of
 * the monitors that its location has to check, and what it has found of them. Both sides read and
 * write JSON by these tables. The key of the request tells the location.
 *
 * A finding is absolute: sent again, it changes nothing. Times are by the clock of the service.
 */
#ifndef DOMAIN_MONITOR_CHECK_EXCHANGE_H
#define DOMAIN_MONITOR_CHECK_EXCHANGE_H

#include "domain/monitor/check_state.h"

enum {
	CHECK_ORDERS_MAX = 200, /* monitors of a part of the list */
	/* States of one request, and as many hours: with all members, 25 for each, they stay below
	 * WIRE_JSON_PARTS_MAX. */
	CHECK_FINDINGS_MAX = 150,
};

/* What a location knows of a monitor. */
struct check_finding {
	int64_t monitor_id;
	struct check_state state; /* with `cause` in place of state.cause */
	const char *cause;
	struct instant tls_expires_at; /* 0: unknown */
	const char *tls_issuer;
};
/* The sums of an hour. */
struct check_found_hour {
	int64_t monitor_id;
	struct check_hour sums;
};

/* What a location has found: the body of a request. */
struct check_findings {
	struct field_rows states; /* struct check_finding */
	struct field_rows hours;  /* struct check_found_hour */
};
extern const struct fields check_findings_fields;

/* A monitor that the location has to check. */
struct check_order {
	struct check_settings settings; /* secrets are in plain text */
	int64_t id;
	const char *name;
	bool is_paused;
	struct check_finding finding; /* what the location has found before; phase 0: nothing */
	struct check_hour hour;	      /* the newest; may be 0 */
};
extern const struct fields check_order_fields;

/* The query of the list. */
struct check_orders_query {
	int64_t after; /* the id of the last monitor of the list's former part */
};
extern const struct fields check_orders_query_fields;

/* Times in the future become `now`. Leaves out the hours that are not in the last 14 days, which a
 * checker may have kept for long, and adds violations. */
void check_findings_settle(struct check_findings *findings, struct instant now,
			   struct violations *violations);

#endif
