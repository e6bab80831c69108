#include "service/service.h"

#include <string.h>

#include "service/writers.h"

/* One run of a transaction, with its retries. */
struct transaction {
	struct service *service;
	service_work *work;
	void *context;
	const void *outcome;
	bool is_silent;
	struct service_dirty dirty; /* marked before */
	bool is_key_taken;
};

static bool has_key(const struct transaction *transaction)
{
	return transaction->service->idempotency.key_hash && !transaction->is_silent;
}

static void rewind_response(const struct transaction *transaction)
{
	const struct service *service = transaction->service;
	if (service->caller && !transaction->is_silent)
		service->caller->rewind(service->caller_context);
}

static enum result render_response(const struct transaction *transaction)
{
	const struct service *service = transaction->service;
	if (!service->caller || transaction->is_silent)
		return OK;
	return service->caller->render(service->caller_context, transaction->outcome);
}

static enum result store_response(struct service *service)
{
	service->caller->store(service->caller_context, &service->idempotency);
	return idempotency_store_response(service->db, &service->idempotency,
					  service->config->most_response_mb_per_day << 20,
					  service->error);
}

static enum result run_work(struct db *db, void *context, struct error *error)
{
	struct transaction *transaction = context;
	struct service *service = transaction->service;
	enum result result = OK;
	service->dirty = transaction->dirty;
	service->events.count = 0;
	rewind_response(transaction);
	if (has_key(transaction)) {
		result = idempotency_claim(db, &service->idempotency, error);
		transaction->is_key_taken = result == E_CONFLICT;
	}
	if (result == OK)
		result = transaction->work(service, transaction->context);
	if (result == OK)
		result = service_store_events(service);
	/* An operation whose response cannot be rendered is not committed. */
	if (result == OK)
		result = render_response(transaction);
	if (result == OK && has_key(transaction))
		result = store_response(service);
	return result;
}

static enum result refuse_writer(struct error *error)
{
	error->retry_after_s = 1;
	error_log(error, E_REFUSED, "too many writes of the account are waiting");
	return error_client(error, E_REFUSED,
			    "Too many changes of this account are waiting for the database. "
			    "Nothing was changed; please try again.");
}

static enum result run_transaction(struct transaction *transaction)
{
	struct service *service = transaction->service;
	int64_t account_id = service->principal.account_id;
	int64_t most = config_half_threads(service->config);
	bool is_counted = account_id > 0;
	int ticket;
	if (is_counted && !writers_enter(account_id, clock_ms(), most, &ticket))
		return refuse_writer(service->error);
	transaction->is_key_taken = false;
	if (service->caller && !transaction->is_silent)
		service->caller->start(service->caller_context);
	enum result result =
		db_transact(service->db, DB_WRITE, run_work, transaction, service->error);
	if (is_counted)
		writers_leave(ticket);
	if (result != OK)
		rewind_response(transaction);
	return result;
}

/* What becomes of a request whose key is taken. OK: the key had expired and is deleted. */
static enum result respond_again(struct service *service)
{
	struct idempotency_key first;
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

static enum result run_once(struct transaction *transaction)
{
	struct service *service = transaction->service;
	/* The second try follows an expired key. */
	for (int tries = 0; tries < 2; tries++) {
		enum result result = run_transaction(transaction);
		if (!transaction->is_key_taken)
			return result;
		*service->error = (struct error){ 0 };
		result = respond_again(service);
		if (result != OK)
			return result;
	}
	return error_log(service->error, E_RETRY, "an Idempotency-Key comes and goes");
}

static enum result transact(struct transaction *transaction)
{
	struct service *service = transaction->service;
	transaction->dirty = service->dirty;
	enum result result = has_key(transaction) ? run_once(transaction)
						  : run_transaction(transaction);
	/* The worker that ran the operation may have died before publishing. */
	if (result == E_REPLAYED) {
		service->dirty = transaction->dirty;
		service_mark_account(service, service->principal.account_id);
	}
	if (result != OK && result != E_REPLAYED)
		service->dirty = transaction->dirty;
	else if (!service->publishing.is_held)
		service_publish(service);
	if (!service->publishing.is_held)
		service->dirty = (struct service_dirty){ 0 };
	return result;
}

enum result service_transact(struct service *service, service_work *work, void *context,
			     const void *outcome)
{
	struct transaction transaction = { service, work, context, .outcome = outcome };
	return transact(&transaction);
}

enum result service_transact_silently(struct service *service, service_work *work, void *context)
{
	struct transaction transaction = { service, work, context, .is_silent = true };
	return transact(&transaction);
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
	return db_transact(service->db, DB_READ, run_reading, &reading, service->error);
}

void service_add_event(struct service *service, const struct event_change *change)
{
	struct service_events *events = &service->events;
	events->rows = arena_grow(service->arena, events->rows, events->count, &events->room,
				  sizeof(*events->rows));
	events->rows[events->count++] = *change;
}

enum result service_store_events(struct service *service)
{
	const struct event_source source = { &service->principal, service->now };
	size_t count = service->events.count;
	service->events.count = 0;
	return event_append(service->db, &source, service->events.rows, count, service->error);
}

enum result service_admit(struct service *service, const void *current)
{
	return service->caller ? service->caller->admit(service->caller_context, current) : OK;
}
