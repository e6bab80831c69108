#include "service/check_locations.h"

#include <stdio.h>

/* Returns the location of the request's key, without the id of the location. */
static struct check_location location_of(const struct service *service)
{
	return (struct check_location){ .account_id = service->principal.account_id,
					.name = service->principal.location };
}

/* Returns the source of the event that reports that the location is connected again. */
static struct event_source source_of(const struct service *service)
{
	return (struct event_source){ &service->principal, service->now,
				      service->config->has_outbox };
}

struct seeing {
	const struct service *service;
	struct check_location *location;
	struct checked_mark *mark;
};

static enum result see_work(struct db *db, void *context, struct error *error)
{
	const struct seeing *seeing = context;
	const struct event_source source = source_of(seeing->service);
	enum result result = check_location_see(db, seeing->location, &source, error);
	return result == OK ? check_location_mark(db, seeing->location, seeing->mark, error)
			    : result;
}

enum result service_see_location(struct service *service, struct check_location *location,
				 struct checked_mark *mark)
{
	struct seeing seeing = { service, location, mark };
	*location = location_of(service);
	*mark = (struct checked_mark){ 0 };
	if (!principal_may(&service->principal, PERMISSION_CHECK))
		return E_FORBIDDEN;
	enum result result = db_transact(service->db, DB_WRITE, see_work, &seeing, service->error);
	return result == E_NOT_FOUND ? OK : result;
}

static struct check_order order_of(const struct checked_monitor *monitor)
{
	return (struct check_order){
		.settings = monitor->settings,
		.id = monitor->id,
		.name = monitor->name,
		.is_paused = monitor->is_paused,
		.finding = { .state = monitor->state, .cause = monitor->state.cause },
		.hour = monitor->hour,
	};
}

enum result service_list_checks(struct service *service, const struct check_location *location,
				int64_t after, struct field_rows *orders)
{
	const struct check_range range = { .after_id = after,
					   .location = location,
					   .most = CHECK_ORDERS_MAX };
	struct checked_list list = { 0 };
	struct signing_key key;
	if (!principal_may(&service->principal, PERMISSION_CHECK))
		return E_FORBIDDEN;
	enum result result = service_read_key(service, &key);
	if (result == OK)
		result = checked_list_read(service->db, key.bytes, &range, service->arena, &list,
					   service->error);
	struct check_order *rows = ARENA_ARRAY(service->arena, list.count, struct check_order);
	for (size_t i = 0; i < list.count; i++)
		rows[i] = order_of(&list.rows[i]);
	*orders = (struct field_rows){ rows, list.count };
	return result;
}

static enum result findings_work(struct service *service, void *context)
{
	enum { DAY_SECONDS = 86400 };
	const struct check_findings *findings = context;
	const struct check_finding *states = findings->states.rows;
	const struct check_found_hour *sums = findings->hours.rows;
	struct check_location location = location_of(service);
	struct check_record *records =
		ARENA_ARRAY(service->arena, findings->states.count, struct check_record);
	struct checked_hour *hours =
		ARENA_ARRAY(service->arena, findings->hours.count, struct checked_hour);
	if (service->violations->count > 0)
		return E_INVALID;
	const struct event_source source = source_of(service);
	enum result result = check_location_see(service->db, &location, &source, service->error);
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	for (size_t i = 0; i < findings->states.count; i++) {
		records[i].monitor_id = states[i].monitor_id;
		records[i].state = states[i].state;
		records[i].tls_expires_at = states[i].tls_expires_at;
		if (states[i].tls_expires_at.s > 0)
			records[i].tls_seen_at = states[i].state.checked_at;
		snprintf(records[i].tls_issuer, sizeof(records[i].tls_issuer), "%s",
			 states[i].tls_issuer ? states[i].tls_issuer : "");
	}
	for (size_t i = 0; i < findings->hours.count; i++)
		hours[i] = (struct checked_hour){
			.monitor_id = sums[i].monitor_id,
			.hour = sums[i].sums,
			.makes_day = sums[i].sums.hour.s / DAY_SECONDS !=
				     service->now.s / DAY_SECONDS,
			.is_part = true,
			.location_id = location.id,
		};
	const struct check_batch batch = { records, findings->states.count, hours,
					   findings->hours.count };
	return check_votes_store(service->db, &location, &batch, service->error);
}

enum result service_take_findings(struct service *service, const struct check_findings *findings)
{
	struct check_findings copy = *findings;
	return service_transact(service, PERMISSION_CHECK, findings_work, &copy, NULL);
}
