/*
 * The messages between the service and a checker at another location (contract section 13). The
 * service sends the settings of the monitors that the location checks. The checker sends its
 * findings. Both sides read and write JSON by these tables. The key in the request identifies the
 * location.
 *
 * A finding is a whole state, not a change: if it is sent again, nothing changes. Times are by the
 * clock of the service.
 */
#ifndef DOMAIN_MONITOR_CHECK_EXCHANGE_H
#define DOMAIN_MONITOR_CHECK_EXCHANGE_H

#include "domain/monitor/check_state.h"

enum {
	CHECK_ORDERS_MAX = 200, /* the most monitors in a response of the service */
	/* The most states in a request, and the most hours. A row has up to 25 members, so that
	 * both lists together stay below WIRE_JSON_PARTS_MAX. */
	CHECK_FINDINGS_MAX = 150,
};

/* The state of a monitor by the checks of a location. */
struct check_finding {
	int64_t monitor_id;
	struct check_state state; /* state.cause is not used: see `cause` */
	const char *cause;
	struct instant tls_expires_at; /* 0: unknown */
	const char *tls_issuer;
};
/* The sums of an hour. */
struct check_found_hour {
	int64_t monitor_id;
	struct check_hour sums;
};

/* The body of a request with findings. */
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
	struct check_finding finding; /* the location's last finding; phase 0: none */
	struct check_hour hour;	      /* the newest hour of the location; all 0: there is none */
};
extern const struct fields check_order_fields;

/* The query parameters of a request for the list of monitors. */
struct check_orders_query {
	int64_t after; /* the id of the last monitor in the previous part of the list */
};
extern const struct fields check_orders_query_fields;

/* Checks findings, and adds violations. Changes times in the future to `now`. Drops hours in the
 * future, and hours older than 14 days, which a checker may have kept. */
void check_findings_settle(struct check_findings *findings, struct instant now,
			   struct violations *violations);

#endif
