#include "integration/lib/service.h"

#include <unistd.h>

#include "base/secret.h"

enum { HASH_CHARS = 64 };

struct service service;
struct violations violations;
struct config config;
struct test_caller caller;

static struct site site = { .has_domains = true };

static void start_response(void *context)
{
	(void)context;
}

static void rewind_response(void *context)
{
	(void)context;
	caller.body = NULL;
}

static enum result admit_object(void *context, const void *current)
{
	(void)context;
	(void)current;
	caller.admits++;
	return caller.admit_result;
}

static enum result render_outcome(void *context, const void *outcome)
{
	(void)context;
	assert_non_null(outcome);
	caller.tries++;
	caller.body = arena_printf(&arena, "rendered %d", caller.tries);
	if (caller.in_transaction)
		caller.in_transaction();
	return caller.render_result;
}

static void store_response(void *context, struct idempotency_key *key)
{
	(void)context;
	key->status = 201;
	key->headers = "X-Test: yes\n";
	key->body = caller.body;
}

static void replay_response(void *context, const struct idempotency_key *first)
{
	(void)context;
	caller.replayed_status = first->status;
	caller.body = first->body;
}

static bool may_look_up(void *context)
{
	(void)context;
	return true;
}

static const struct service_caller functions = {
	.start = start_response,
	.rewind = rewind_response,
	.admit = admit_object,
	.render = render_outcome,
	.store = store_response,
	.replay = replay_response,
	.may_look_up = may_look_up,
};

void use_caller(void)
{
	caller = (struct test_caller){ 0 };
	service.caller = &functions;
}

void use_idempotency_key(int64_t account, const char *key, const char *request)
{
	service.idempotency = (struct idempotency_key){
		.account_id = account,
		.key_hash = secret_hash_hex(&arena, key, strlen(key), HASH_CHARS),
		.request_hash = secret_hash_hex(&arena, request, strlen(request), HASH_CHARS),
		.created_at = service.now,
	};
}

int service_clear(void **state)
{
	config = (struct config){ .pages_dir = pages_folder,
				  .session_idle_hours = 12,
				  .session_days = 7,
				  .domain_proof = CONFIG_PROOF_NO,
				  .publish_in_request_pages = 100,
				  .publish_in_request_ms = 60000,
				  .processes = 1,
				  .threads = 8 };
	violations_init(&violations, &arena);
	service = (struct service){ .db = db,
				    .config = &config,
				    .site = &site,
				    .base_url = "https://status.test",
				    .arena = &arena,
				    .now = at(5, 10),
				    .violations = &violations,
				    .error = &error };
	act_as_operator();
	return pages_clear(state);
}

void act_as_key(int64_t account)
{
	service.principal = tester;
	service.principal.account_id = account;
}

void act_as_operator(void)
{
	service.principal = (struct principal){ .type = PRINCIPAL_OPERATOR, .label = "daymarkctl" };
}

void unpublish(const char *slug)
{
	assert_int_equal(unlink(path_of(arena_printf(&arena, "public/s/%s/index.html", slug))), 0);
	execute("UPDATE page_revisions SET unpublished_since = '2026-03-05 09:00:00', "
		"revision = revision + 1");
}

#define EVENT_TEXT \
	"CONCAT_WS(' ', kind, object_id, COALESCE(monitor_id, '-'), " \
	"COALESCE(detail, '-'))"

const char *events(void)
{
	return select_text("SELECT " EVENT_TEXT " FROM events ORDER BY id");
}

const char *event_text(const char *kind, int64_t object_id, int64_t monitor_id, const char *detail)
{
	const char *monitor = monitor_id > 0 ? arena_printf(&arena, "%lld", (long long)monitor_id)
					     : "-";
	return arena_printf(&arena, "%s %lld %s %s", kind, (long long)object_id, monitor,
			    detail ? detail : "-");
}

static const char *principal_row(void)
{
	const struct principal *principal = &service.principal;
	const char *id = principal->id > 0 ? arena_printf(&arena, "%lld", (long long)principal->id)
					   : "-";
	return arena_printf(&arena, "%s|%s|%s|%s|%s", principal_type_word(principal->type), id,
			    principal->label, principal->address ? principal->address : "-",
			    principal->request_id ? principal->request_id : "-");
}

void check_one_event(int64_t account, const char *text)
{
	assert_rows(arena_printf(&arena, "%lld|%s|2026-03-05 10:00:00|%s", (long long)account,
				 principal_row(), text),
		    "SELECT COALESCE(account_id, 0), " EVENT_SOURCE_SHOWN ", at, " EVENT_TEXT
		    " FROM events ORDER BY id");
}

void forget_events(void)
{
	execute("DELETE FROM events");
}

void break_events(void)
{
	enum { TOO_LONG = 300 };
	char *label = ARENA_ARRAY(&arena, TOO_LONG + 1, char);
	memset(label, 'x', TOO_LONG);
	label[TOO_LONG] = '\0';
	service.principal.label = label;
}
