#include "app/handlers.h"

#include "app/input.h"
#include "app/operation.h"
#include "app/resources.h"
#include "app/respond.h"
#include "service/alert_channels.h"

/* POST /alert-channels */
enum result alert_channels_create(struct exchange *exchange)
{
	struct alert_channel_input input = { 0 };
	struct alert_channel channel;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_add_alert_channel(
		exchange_service(exchange, exchange_admit_creation, resources_render_created),
		exchange->service.principal.account_id, &input, sent, &channel);
	return exchange_as_violation(exchange, result);
}

/* PUT /alert-channels/{id} */
enum result alert_channels_update(struct exchange *exchange)
{
	struct alert_channel_input input = { 0 };
	struct alert_channel channel;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	return service_update_alert_channel(
		exchange_service(exchange, resources_admit_update, resources_render),
		exchange->match.id, &input, sent, &channel);
}

/* DELETE /alert-channels/{id} */
enum result alert_channels_delete(struct exchange *exchange)
{
	struct alert_channel channel;
	return service_delete_alert_channel(
		exchange_service(exchange, resources_admit, resources_render_deleted),
		exchange->match.id, &channel);
}

/* POST /alert-channels/{id}/test */
enum result alert_channels_test(struct exchange *exchange)
{
	struct alert_test test;
	enum result result = service_test_alert_channel(exchange_service(exchange, NULL, NULL),
							exchange->match.id, &test);
	if (result != OK)
		return result;
	exchange_respond_row(exchange, 200, alert_test_fields, &test);
	return OK;
}

/* POST /deliveries/{id}/retry */
enum result deliveries_retry_one(struct exchange *exchange)
{
	struct delivery delivery;
	return service_retry_delivery(exchange_service(exchange, NULL, resources_render_accepted),
				      exchange->match.id, &delivery);
}
