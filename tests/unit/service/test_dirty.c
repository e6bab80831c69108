/* What operations mark to be published, before anything is published. */
#include "unit/lib/unit.h"

#include "service/service.h"

static void a_monitor_is_marked_once(void **state)
{
	(void)state;
	struct service service = { 0 };
	service_mark_monitor(&service, 7, 1);
	service_mark_monitor(&service, 8, 1);
	service_mark_monitor(&service, 7, 1);
	assert_int_equal(2, service.dirty.monitor_count);
	assert_int_equal(7, service.dirty.monitor_ids[0]);
	assert_int_equal(8, service.dirty.monitor_ids[1]);
	assert_false(service.dirty.is_wide);
}

static void many_monitors_are_their_account(void **state)
{
	(void)state;
	struct service service = { 0 };
	for (int64_t id = 1; id <= SERVICE_DIRTY_MONITORS_MAX; id++)
		service_mark_monitor(&service, id, 5);
	assert_false(service.dirty.is_wide);
	service_mark_monitor(&service, SERVICE_DIRTY_MONITORS_MAX, 5);
	assert_false(service.dirty.is_wide);
	service_mark_monitor(&service, SERVICE_DIRTY_MONITORS_MAX + 1, 5);
	assert_true(service.dirty.is_wide);
	assert_int_equal(5, service.dirty.account_id);
	assert_int_equal(SERVICE_DIRTY_MONITORS_MAX, service.dirty.monitor_count);
}

static void events_are_collected_in_order(void **state)
{
	(void)state;
	struct service service = { .arena = &arena };
	for (int64_t id = 1; id <= 100; id++)
		service_add_event(&service, &(struct event_change){ .kind = EVENT_INCIDENT_OPENED,
								    .object_id = id });
	assert_int_equal(100, service.events.count);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(i + 1, service.events.rows[i].object_id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_monitor_is_marked_once),
		cmocka_unit_test(many_monitors_are_their_account),
		cmocka_unit_test(events_are_collected_in_order),
	};
	return RUN_WITH_ARENA(tests);
}
