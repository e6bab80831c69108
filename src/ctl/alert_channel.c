/* daymarkctl alert-channel add|list|set|remove|test, delivery list|retry, deliver */
#include "base/loop.h"
#include "ctl/ctl.h"
#include "notify/sender.h"
#include "service/alert_channels.h"
#include "wire/json.h"

static int say_done(struct ctl *ctl, const struct alert_channel *channel, const char *what)
{
	ctl_say(ctl, json_row_tree(alert_channel_fields, channel),
		"%s alert channel %lld (%s): %s.", what, (long long)channel->id, channel->name,
		channel->address);
	return CTL_OK;
}

static int alert_channel_add_run(struct ctl *ctl)
{
	int64_t account_id;
	struct service service = ctl_service(ctl);
	struct alert_channel channel;
	struct alert_channel_input input = { 0 };
	struct field_set sent;
	int status = ctl_read_new(ctl, &input, &sent, &account_id);
	if (status != CTL_OK)
		return status;
	enum result result =
		service_add_alert_channel(&service, account_id, &input, sent, &channel);
	return result == OK ? say_done(ctl, &channel, "Added")
			    : ctl_fail(ctl, result, "the alert channel cannot be added");
}

const struct ctl_command alert_channel_add_command = {
	.words = "alert-channel add",
	.arguments = "NAME TYPE",
	.summary = "Add a service that receives messages about systems",
	.run = alert_channel_add_run,
	.form = &alert_channel_create_fields,
	.options = { CTL_ACCOUNT_OPTION },
};

static const char *state_text(struct arena *arena, const void *row)
{
	const struct alert_channel *channel = row;
	(void)arena;
	return channel->suspended_at.s > 0 ? "suspended"
	       : channel->is_enabled	   ? "enabled"
					   : "disabled";
}

static const struct ctl_column channel_columns[] = {
	{ "ID", "id", NULL },	      { "ACCOUNT", "account_id", NULL },
	{ "NAME", "name", NULL },     { "TYPE", "type", NULL },
	{ "TO", "address", NULL },    { "STATE", NULL, state_text },
	{ "EVENTS", "events", NULL }, { 0 },
};
static const struct ctl_list channel_list = { "alert channels", channel_columns,
					      &alert_channel_fields, &resource_alert_channels };

const struct ctl_command alert_channel_list_command = {
	.words = "alert-channel list",
	.summary = "List the alert channels, without their secrets",
	.run = ctl_list,
	.list = &channel_list,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

static int alert_channel_set_run(struct ctl *ctl)
{
	int64_t id;
	struct alert_channel_input input = { 0 };
	struct alert_channel channel;
	struct field_set sent;
	int status = ctl_read_change(ctl, &input, &sent);
	if (status != CTL_OK || ctl_read_id(ctl, "an alert channel", &id) != CTL_OK)
		return status != CTL_OK ? status : CTL_USAGE;
	struct service service = ctl_service(ctl);
	enum result result = service_update_alert_channel(&service, id, &input, sent, &channel);
	status = ctl_finish(ctl, &service, result, "alert channel");
	return status == CTL_OK ? say_done(ctl, &channel, "Changed") : status;
}

const struct ctl_command alert_channel_set_command = {
	.words = "alert-channel set",
	.arguments = "ID",
	.summary = "Change the fields of an alert channel that are given, and end a suspension",
	.run = alert_channel_set_run,
	.form = &alert_channel_update_fields,
};

static int alert_channel_remove_run(struct ctl *ctl)
{
	int64_t id;
	struct alert_channel channel;
	if (ctl_read_id(ctl, "an alert channel", &id) != CTL_OK)
		return CTL_USAGE;
	struct service service = ctl_service(ctl);
	enum result result = service_delete_alert_channel(&service, id, &channel);
	int status = ctl_finish(ctl, &service, result, "alert channel");
	if (status == CTL_OK)
		ctl_say(ctl, ctl_done_tree(id, "removed"), "Removed alert channel %lld (%s).",
			(long long)id, channel.name);
	return status;
}

const struct ctl_command alert_channel_remove_command = {
	.words = "alert-channel remove",
	.arguments = "ID",
	.summary = "Remove an alert channel with its messages",
	.run = alert_channel_remove_run,
};

static int alert_channel_test_run(struct ctl *ctl)
{
	int64_t id;
	struct alert_test test;
	if (ctl_read_id(ctl, "an alert channel", &id) != CTL_OK)
		return CTL_USAGE;
	struct service service = ctl_service(ctl);
	enum result result = service_test_alert_channel(&service, id, &test);
	int status = ctl_finish(ctl, &service, result, "alert channel");
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, json_row_tree(alert_test_fields, &test), "The message is %s. Status %lld: %s",
		test.is_accepted ? "accepted" : "not accepted", (long long)test.status,
		test.response[0] ? test.response : "(no text)");
	return test.is_accepted ? CTL_OK : CTL_FAILED;
}

const struct ctl_command alert_channel_test_command = {
	.words = "alert-channel test",
	.arguments = "ID",
	.summary = "Send a test message to an alert channel now; exit status 1: not accepted",
	.run = alert_channel_test_run,
};

static const char *receiver_text(struct arena *arena, const void *row)
{
	const struct delivery *delivery = row;
	(void)arena;
	return delivery->channel_name	      ? delivery->channel_name
	       : delivery->subscriber_address ? delivery->subscriber_address
					      : "";
}

static const struct ctl_column delivery_columns[] = {
	{ "ID", "id", NULL },
	{ "RECEIVER", NULL, receiver_text },
	{ "EVENT", "kind", NULL },
	{ "OBJECT", "object_id", NULL },
	{ "STATE", "state", NULL },
	{ "TRIES", "tries", NULL },
	{ "NEXT", "due_at", NULL },
	{ "RESPONSE", "response", NULL },
	{ 0 },
};
static const struct ctl_list delivery_list = { "deliveries", delivery_columns, &delivery_fields,
					       &resource_deliveries };

const struct ctl_command delivery_list_command = {
	.words = "delivery list",
	.summary = "List the messages to alert channels and subscribers of the last 30 days",
	.run = ctl_list,
	.list = &delivery_list,
	.options = { { "account", "ACCOUNT", "only this account's" } },
};

static int delivery_retry_run(struct ctl *ctl)
{
	int64_t id;
	struct delivery delivery;
	if (ctl_read_id(ctl, "a delivery", &id) != CTL_OK)
		return CTL_USAGE;
	struct service service = ctl_service(ctl);
	enum result result = service_retry_delivery(&service, id, &delivery);
	int status = ctl_finish(ctl, &service, result, "delivery");
	if (status == CTL_OK)
		ctl_say(ctl, ctl_done_tree(id, "queued"), "Queued delivery %lld.", (long long)id);
	return status;
}

const struct ctl_command delivery_retry_command = {
	.words = "delivery retry",
	.arguments = "ID",
	.summary = "Send a message again",
	.run = delivery_retry_run,
};

static int deliver_run(struct ctl *ctl)
{
	struct sender *sender = NULL;
	struct loop loop;
	if (!ctl_option(ctl, "once"))
		return ctl_usage(ctl, "--once is required: the service sends messages itself");
	if (!loop_open(&loop))
		return ctl_fail(ctl, E_FAILED, "messages cannot be sent");
	enum result result = sender_open(&sender, &loop, &ctl->config, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "messages cannot be sent");
	sender_stop_when_idle(sender);
	loop_run(&loop);
	const struct sender_count count = sender_counted(sender);
	result = sender_last(sender, &ctl->error);
	if (!sender_close(sender, 0))
		return ctl_fail(ctl, E_FAILED, "a message is still under way");
	if (result != OK)
		return ctl_fail(ctl, result, "messages cannot be sent");
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "sent", count.sent);
	json_put_int(tree, "failed", count.failed);
	json_put_int(tree, "waiting", count.waiting);
	ctl_say(ctl, tree, "Messages sent: %lld. Failed: %lld. To be tried again: %lld.",
		(long long)count.sent, (long long)count.failed, (long long)count.waiting);
	return CTL_OK;
}

const struct ctl_command deliver_command = {
	.words = "deliver",
	.summary = "Send the messages that are due, where no sender runs (cron)",
	.run = deliver_run,
	.options = { { "once", NULL, "send what is due, and end" } },
};
