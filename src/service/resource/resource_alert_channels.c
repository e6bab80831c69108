/* The lists and objects of alert channels, subscribers and deliveries. */
#include "service/alert_channels.h"
#include "service/resource/resource.h"
#include "store/notify/delivery.h"
#include "store/notify/subscriber.h"

static const char *const search_words[] = { "name", NULL };
/* In the order of enum alert_channel_sort. */
static const char *const sort_words[] = { "id", "name", NULL };

static const struct field query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct alert_channel_query, list., search_words,
			     "The field to search."),
	FIELD(struct alert_channel_query, type, .choices = alert_channel_type_words,
	      .text = "Only channels of this type."),
	RESOURCE_ORDER_ROWS(struct alert_channel_query, list., "alert channels", sort_words, "id",
			    "The order of the list."),
};
const struct fields alert_channels_query_fields = { query_rows, ARRAY_LEN(query_rows) };
static const struct alert_channel_query query_defaults = { .type = -1 };

static enum result list_channels(struct service *service, const void *query,
				 struct resource_rows *rows)
{
	struct alert_channel_list found;
	enum result result =
		alert_channels_list(service->db, query, service->arena, &found, service->error);
	if (result == OK)
		result = alert_channels_present(service, found.rows, found.count);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result channels_after(struct service *service, int64_t account_id, int64_t after_id,
				  struct resource_rows *rows)
{
	struct alert_channel_list found;
	enum result result = alert_channels_after(service->db, account_id, after_id, service->arena,
						  &found, service->error);
	if (result == OK)
		result = alert_channels_present(service, found.rows, found.count);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count };
	return result;
}

static enum result find_channel(struct service *service, const struct resource_place *place,
				void *row)
{
	enum result result = alert_channel_find(service->db, service->principal.account_id,
						place->id, false, service->arena, row,
						service->error);
	return result == OK ? alert_channels_present(service, row, 1) : result;
}

const struct resource resource_alert_channels = {
	.object = "alert_channel",
	.shown = &alert_channel_resource_fields,
	.listed = &alert_channel_resource_fields,
	.row_bytes = sizeof(struct alert_channel),
	.find = find_channel,
	.query_defaults = &query_defaults,
	.query_bytes = sizeof(query_defaults),
	.list = list_channels,
	.list_after = channels_after,
};

static const char *const response_words[] = { "response", NULL };
static const char *const delivery_sort_words[] = { "id", NULL };
static const struct field delivery_rows[] = {
	RESOURCE_SEARCH_ROWS(struct delivery_query, list., response_words, "The field to search."),
	FIELD(struct delivery_query, state, .choices = delivery_state_words,
	      .text = "Only messages in this state."),
	FIELD(struct delivery_query, channel_id, .min = 1, .max = INT64_MAX,
	      .text = "Only messages to this channel."),
	FIELD(struct delivery_query, subscriber_id, .min = 1, .max = INT64_MAX,
	      .text = "Only messages to this subscriber."),
	RESOURCE_ORDER_ROWS(struct delivery_query, list., "messages", delivery_sort_words, "id",
			    "The order of the list."),
};
const struct fields deliveries_query_fields = { delivery_rows, ARRAY_LEN(delivery_rows) };
static const struct delivery_query delivery_defaults = { .state = DELIVERY_ANY_STATE };

static enum result list_deliveries(struct service *service, const void *query,
				   struct resource_rows *rows)
{
	struct delivery_list found;
	enum result result =
		deliveries_list(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result deliveries_next(struct service *service, int64_t account_id, int64_t after_id,
				   struct resource_rows *rows)
{
	struct delivery_list found;
	enum result result = deliveries_after(service->db, account_id, after_id, service->arena,
					      &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count };
	return result;
}

static enum result find_delivery(struct service *service, const struct resource_place *place,
				 void *row)
{
	return delivery_find(service->db, service->principal.account_id, place->id, false,
			     service->arena, row, service->error);
}

const struct resource resource_deliveries = {
	.object = "delivery",
	.shown = &delivery_resource_fields,
	.listed = &delivery_resource_fields,
	.row_bytes = sizeof(struct delivery),
	.find = find_delivery,
	.query_defaults = &delivery_defaults,
	.query_bytes = sizeof(delivery_defaults),
	.list = list_deliveries,
	.list_after = deliveries_next,
};

/* Subscribers */

static const char *const address_words[] = { "address", NULL };
/* In the order of enum subscriber_sort. */
static const char *const subscriber_sort_words[] = { "id", "address", NULL };

static const struct field subscriber_query_rows[] = {
	RESOURCE_SEARCH_ROWS(struct subscriber_query, list., address_words, "The field to search."),
	FIELD(struct subscriber_query, type, .choices = subscriber_type_words,
	      .text = "Only subscribers of this type."),
	FIELD(struct subscriber_query, state, .choices = subscriber_state_words,
	      .text = "Only subscribers in this state."),
	RESOURCE_ORDER_ROWS(struct subscriber_query, list., "subscribers", subscriber_sort_words,
			    "id", "The order of the list."),
};
const struct fields subscribers_query_fields = { subscriber_query_rows,
						 ARRAY_LEN(subscriber_query_rows) };
static const struct subscriber_query subscriber_defaults = { .type = SUBSCRIBER_ANY_TYPE,
							     .state = SUBSCRIBER_ANY_STATE };

static enum result list_subscribers(struct service *service, const void *query,
				    struct resource_rows *rows)
{
	struct subscriber_list found;
	enum result result =
		subscribers_list(service->db, query, service->arena, &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

static enum result subscribers_from(struct service *service, int64_t account_id, int64_t after_id,
				    struct resource_rows *rows)
{
	struct subscriber_list found;
	enum result result = subscribers_after(service->db, account_id, 0, after_id, service->arena,
					       &found, service->error);
	*rows = (struct resource_rows){ found.rows, sizeof(*found.rows), found.count, found.total };
	return result;
}

const struct resource resource_subscribers = {
	.object = "subscriber",
	.permission = PERMISSION_MANAGE,
	.shown = &subscriber_resource_fields,
	.listed = &subscriber_resource_fields,
	.row_bytes = sizeof(struct subscriber),
	.query_defaults = &subscriber_defaults,
	.query_bytes = sizeof(subscriber_defaults),
	.list = list_subscribers,
	.list_after = subscribers_from,
};
