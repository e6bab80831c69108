#include "service/service.h"

#include <string.h>

#include "publish/folder/pages_dir.h"
#include "service/incident/incident_changes.h"
#include "service/previews.h"

/* The transaction of an operation, with its retries. */
struct transaction {
	struct service *service;
	service_work *work;
	void *context;
	const void *outcome;
	struct service_dirty dirty;   /* the pages that were marked before the transaction */
	struct violations violations; /* the violations that were found before the transaction */
	bool is_key_taken;
};

static bool has_key(const struct service *service)
{
	return service->idempotency.key_hash != NULL && !service->preview;
}

static void rewind_response(const struct service *service)
{
	if (service->caller)
		service->caller->rewind(service->caller_context);
}

static enum result store_response(struct service *service)
{
	service->caller->store(service->caller_context, &service->idempotency);
	return idempotency_store_response(service->db, &service->idempotency,
					  service->config->most_response_mb_per_day << 20,
					  service->error);
}

static enum result store_events(struct service *service)
{
	const struct event_source source = { &service->principal, service->now,
					     service->config->has_outbox };
	/* Store the incidents first, because the payloads in the outbox show the stored state of
	 * incidents. */
	enum result result = source.fills_outbox ? incident_changes_store(service) : OK;
	if (result != OK)
		return result;
	return event_append(service->db, &source, service->events.rows, service->events.count,
			    service->error);
}

static enum result run_last(struct service *service)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < service->last.count; i++)
		result = service->last.rows[i].work(service, service->last.rows[i].context);
	service->last.count = 0;
	return result;
}

static enum result run_work(struct db *db, void *context, struct error *error)
{
	struct transaction *transaction = context;
	struct service *service = transaction->service;
	enum result result = OK;
	service->dirty = transaction->dirty;
	if (service->violations)
		violations_rewind(service->violations, &transaction->violations);
	service->events = (struct service_events){ 0 };
	service->incidents = NULL;
	service->held = NULL;
	service->last.count = 0;
	rewind_response(service);
	if (has_key(service)) {
		result = idempotency_claim(db, &service->idempotency, error);
		transaction->is_key_taken = result == E_CONFLICT;
	}
	if (result == OK)
		result = transaction->work(service, transaction->context);
	if (result == OK && service->preview) {
		result = run_last(service);
		return result == OK ? service_read_preview(service, transaction->outcome) : result;
	}
	if (result == OK)
		result = store_events(service);
	/* If the response cannot be rendered, the operation is not committed. */
	if (result == OK && service->caller)
		result = service->caller->render(service->caller_context, transaction->outcome);
	if (result == OK && has_key(service))
		result = store_response(service);
	return result == OK ? run_last(service) : result;
}

static enum result refuse_waiting(const struct service *service, const char *owner)
{
	service->error->retry_after_s = 1;
	error_log(service->error, E_REFUSED, "too many writes of the %s are waiting", owner);
	return error_client(service->error, E_REFUSED,
			    "Too many changes of this %s are waiting for the database. "
			    "Nothing was changed; please try again.",
			    owner);
}

/* Counts the write, and sets service->ticket. E_REFUSED: too many writes of the account wait. */
static enum result enter_writers(struct service *service)
{
	int64_t account_id = service->principal.account_id;
	const struct running_writes_limits limits = { config_account_threads(service->config),
						      config_half_threads(service->config) };
	service->ticket = RUNNING_WRITES_NOT_COUNTED;
	if (account_id == 0 ||
	    running_writes_enter(account_id, clock_ms(), &limits, &service->ticket))
		return OK;
	return refuse_waiting(service, "account");
}

enum result service_await(struct service *service, const struct running_writes_rows *rows)
{
	int64_t most = config_half_threads(service->config);
	return running_writes_await(service->ticket, rows, clock_ms(), most)
		       ? OK
		       : refuse_waiting(service, "object");
}

enum result service_await_one(struct service *service, enum running_writes_table table, int64_t id)
{
	return service_await(service, &(struct running_writes_rows){ table, &id, 1 });
}

/* Finds the stored Idempotency-Key of the request. E_CONFLICT: it belongs to another request.
 * E_REPLAYED: the stored response was restored. OK: the key has expired and is deleted, so the
 * operation may run. */
static enum result respond_again(struct service *service)
{
	struct idempotency_key first;
	*service->error = (struct error){ 0 };
	enum result result = idempotency_find(service->db, &service->idempotency, service->arena,
					      &first, service->error);
	if (result == E_NOT_FOUND)
		return OK;
	if (result != OK)
		return result;
	struct instant oldest = { service->now.s - IDEMPOTENCY_KEPT_S };
	if (first.created_at.s < oldest.s)
		return idempotency_forget(service->db, oldest, service->error);
	if (strcmp(first.request_hash, service->idempotency.request_hash) != 0)
		return error_client(service->error, E_CONFLICT,
				    "This Idempotency-Key was used before with another request.");
	service->caller->replay(service->caller_context, &first);
	return E_REPLAYED;
}

/* Call it after a transaction that has found its Idempotency-Key stored. Restores the stored
 * response, or runs the transaction again if the key had expired. */
static enum result replay_or_repeat(struct transaction *transaction)
{
	struct service *service = transaction->service;
	enum result result = respond_again(service);
	if (result != OK)
		return result;
	transaction->is_key_taken = false;
	result = db_transact(service->db, DB_WRITE, run_work, transaction, service->error);
	return transaction->is_key_taken ? error_log(service->error, E_RETRY,
						     "the expired Idempotency-Key was taken again")
					 : result;
}

/* Publishes the marked pages if this call has committed the operation, or if an earlier request
 * with the same Idempotency-Key has committed it. */
static void finish_transaction(struct transaction *transaction, enum result result)
{
	struct service *service = transaction->service;
	bool is_held = service->publishing.is_held;
	if (service->preview) {
		service->dirty = (struct service_dirty){ 0 };
		service->publishing.tightened_page = service->publishing.updated_page = 0;
		return;
	}
	if (result != OK)
		service->dirty = transaction->dirty;
	/* The process that ran the operation for the first request may have died before it
	 * published. */
	if (result == E_REPLAYED)
		service_mark_account(service, service->principal.account_id);
	else if (result != OK)
		rewind_response(service);
	if ((result == OK || result == E_REPLAYED) && !is_held)
		service_publish(service);
	if (!is_held)
		service->dirty = (struct service_dirty){ 0 };
}

enum result service_transact(struct service *service, enum permission permission,
			     service_work *work, void *context, const void *outcome)
{
	struct transaction transaction = {
		.service = service,
		.work = work,
		.context = context,
		.outcome = outcome,
		.dirty = service->dirty,
	};
	if (service->violations)
		transaction.violations = *service->violations;
	enum result result = principal_may(&service->principal, permission) ? enter_writers(service)
									    : E_FORBIDDEN;
	if (result != OK) {
		service->dirty = (struct service_dirty){ 0 };
		return result;
	}
	if (service->caller)
		service->caller->start(service->caller_context);
	result = db_transact(service->db, service->preview ? DB_TRY : DB_WRITE, run_work,
			     &transaction, service->error);
	if (transaction.is_key_taken)
		result = replay_or_repeat(&transaction);
	running_writes_leave(service->ticket);
	service->ticket = RUNNING_WRITES_NOT_COUNTED;
	finish_transaction(&transaction, result);
	return result;
}

enum result service_transact_silently(struct service *service, enum permission permission,
				      service_work *work, void *context)
{
	struct idempotency_key key = service->idempotency;
	const struct service_caller *caller = service->caller;
	service->idempotency = (struct idempotency_key){ 0 };
	service->caller = NULL;
	enum result result = service_transact(service, permission, work, context, NULL);
	service->idempotency = key;
	service->caller = caller;
	return result;
}

struct reading {
	struct service *service;
	service_work *work;
	void *context;
};

static enum result run_reading(struct db *db, void *context, struct error *error)
{
	(void)db;
	(void)error;
	const struct reading *reading = context;
	return reading->work(reading->service, reading->context);
}

enum result service_read(struct service *service, service_work *work, void *context)
{
	struct reading reading = { service, work, context };
	return principal_may(&service->principal, PERMISSION_READ)
		       ? db_transact(service->db, DB_READ, run_reading, &reading, service->error)
		       : E_FORBIDDEN;
}

void service_add_event(struct service *service, const struct event_change *change)
{
	struct service_events *events = &service->events;
	events->rows = arena_grow(service->arena, events->rows, events->count, &events->room,
				  sizeof(*events->rows));
	events->rows[events->count++] = *change;
}

enum result service_write_last(struct service *service, service_work *work, void *context)
{
	struct service_last *last = &service->last;
	enum result result = last->count == SERVICE_LAST_MAX ? run_last(service) : OK;
	last->rows[last->count].work = work;
	last->rows[last->count++].context = context;
	return result;
}

enum result service_admit(struct service *service, const void *current)
{
	return service->caller ? service->caller->admit(service->caller_context, current) : OK;
}

enum result service_read_key(struct service *service, struct signing_key *key)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	enum result result = pages_dir_open(&dir, service->config->pages_dir, service->error);
	return result == OK ? signing_key_make(dir.root_fd, key, service->error) : result;
}
