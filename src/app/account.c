#include "app/handlers.h"

#include "app/operation.h"
#include "app/respond.h"
#include "domain/account/key.h"
#include "service/accounts.h"
#include "service/alert_channels.h"

/* A row of the response: a limit of requests, or a quota. */
struct allowance {
	const char *name;
	int per; /* such as PER_KEY_MINUTE; an index into per_words */
	int64_t most;
	int64_t used;
};

enum { PER_KEY_MINUTE, PER_ACCOUNT_MINUTE, PER_ACCOUNT, PER_ACCOUNT_DAY, PER_ACCOUNT_YEAR };
static const char *const per_words[] = { "key_minute",	"account_minute", "account",
					 "account_day", "account_year",	  NULL };

enum { LIMITS_MAX = 4, QUOTAS_MAX = 8 };

struct shown {
	struct account account;
	struct principal principal;
	bool is_read_only;
	const char *version;
	const char *webhook_public_key; /* NULL: no messages are sent, or there is no key */
	struct allowance limits[LIMITS_MAX], *limit_rows;
	size_t limit_count;
	struct allowance quotas[QUOTAS_MAX], *quota_rows;
	size_t quota_count;
};

#define NAME FIELD(struct allowance, name, .flags = FIELD_NOT_EMPTY, .text = "What is limited.")
#define PER \
	FIELD(struct allowance, per, .flags = FIELD_AS_WORD, .choices = per_words, \
	      .text = "The kind of usage, and its time; account_year: 366 days. A day " \
		      "begins at midnight UTC.")
#define MOST FIELD(struct allowance, most, .flags = FIELD_ZERO_IS_NULL, .text = "null: no limit.")
static const struct field limit_rows[] = { NAME, PER, MOST };
static const struct field quota_rows[] = {
	NAME,
	PER,
	MOST,
	FIELD(struct allowance, used,
	      .text = "How much of the quota is used; a day's usage is counted only if the "
		      "day has a limit."),
};
static const struct fields limit_fields = { limit_rows, ARRAY_LEN(limit_rows) };
static const struct fields quota_fields = { quota_rows, ARRAY_LEN(quota_rows) };

#define KEY(member, ...) FIELD_NAMED(struct shown, principal.member, #member, __VA_ARGS__)
static const struct field key_rows[] = {
	KEY(id, .text = "The id of the key of this request."),
	KEY(label, .flags = FIELD_ZERO_IS_NULL, .text = "The purpose of the key; null: none."),
	FIELD(struct shown, is_read_only, .text = "Whether the key cannot write."),
	KEY(expires_at, .text = "When the key becomes invalid; null: never."),
};
static const struct fields its_key_fields = { key_rows, ARRAY_LEN(key_rows) };

static const struct field rows[] = {
	FIELD_NAMED(struct shown, account.id, "id", .text = "The id of the account."),
	FIELD_NAMED(struct shown, account.name, "name", .flags = FIELD_NOT_EMPTY,
		    .text = "The name of the account."),
	FIELD_NAMED(struct shown, account.created_at, "created_at", .flags = FIELD_NOT_EMPTY),
	{ .name = "key",
	  .kind = FIELD_OBJECT,
	  .members = &its_key_fields,
	  .text = "The key of this request." },
	FIELD_ARRAY(struct shown, limit_rows, limit_count, "limits", &limit_fields,
		    .text = "How many requests are admitted."),
	FIELD_ARRAY(struct shown, quota_rows, quota_count, "quotas", &quota_fields,
		    .text = "The quotas of the account, and how much of them is used."),
	FIELD(struct shown, version, .flags = FIELD_NOT_EMPTY,
	      .text = "The version of the service."),
	FIELD(struct shown, webhook_public_key,
	      .text = "The ed25519 key that verifies the v1a signatures of webhooks: whpk_ and "
		      "base64; null: the service sends no messages, or has had no channel so far."),
};
const struct fields account_shown_fields = { rows, ARRAY_LEN(rows) };

static void add_limit(struct shown *shown, const char *name, int per, int64_t most)
{
	shown->limits[shown->limit_count++] = (struct allowance){ name, per, most, 0 };
}

static void add_quota(struct shown *shown, const struct allowance *quota)
{
	shown->quotas[shown->quota_count++] = *quota;
}

/* Adds a row for each limit and quota of the configuration. */
static void add_allowances(struct shown *shown, const struct config *config,
			   const struct usage_counts *counts)
{
	const struct account *account = &shown->account;
	const struct allowance quotas[] = {
		{ "status_pages", PER_ACCOUNT, config->most_status_pages,
		  account->status_page_count },
		{ "monitors", PER_ACCOUNT, config->most_monitors, account->monitor_count },
		{ "keys", PER_ACCOUNT, KEYS_VALID_MAX, counts->valid_keys },
		{ "maintenances", PER_ACCOUNT_YEAR, config->most_maintenances,
		  counts->maintenances },
		{ "incident_templates", PER_ACCOUNT, config->most_incident_templates,
		  counts->templates },
		{ "incidents", PER_ACCOUNT_DAY, config->most_incidents_per_day,
		  account->incidents_today },
		{ "upload_bytes", PER_ACCOUNT, config->most_upload_mb << 20,
		  account->upload_bytes },
		{ "response_bytes", PER_ACCOUNT_DAY, config->most_response_mb_per_day << 20,
		  account->response_bytes_today },
	};
	_Static_assert(ARRAY_LEN(quotas) <= QUOTAS_MAX, "there is room for each quota");
	add_limit(shown, "requests", PER_KEY_MINUTE, config->requests_per_minute);
	add_limit(shown, "requests", PER_ACCOUNT_MINUTE, config->account_requests_per_minute);
	for (size_t i = 0; i < ARRAY_LEN(quotas); i++)
		add_quota(shown, &quotas[i]);
	shown->limit_rows = shown->limits;
	shown->quota_rows = shown->quotas;
}

enum result account_show(struct exchange *exchange)
{
	struct service *service = &exchange->service;
	struct shown shown = { .principal = service->principal, .version = PACKAGE_VERSION };
	struct usage_counts counts;
	shown.is_read_only = shown.principal.role == ROLE_READER;
	enum result result = service_show_account(service, &shown.account, &counts);
	if (result != OK)
		return result;
	shown.webhook_public_key = service_webhook_key(service);
	add_allowances(&shown, exchange->config, &counts);
	exchange_respond_row(exchange, 200, account_shown_fields, &shown);
	return OK;
}
