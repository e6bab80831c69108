#include "service/accounts.h"

#include "domain/account.h"
#include "store/account.h"
#include "store/removal.h"

struct adding {
	const char *name;
	int64_t *id;
};

static enum result add_work(struct service *service, void *context)
{
	const struct adding *adding = context;
	enum result result =
		account_add(service->db, adding->name, service->now, adding->id, service->error);
	if (result == OK)
		service_add_event(service, &(struct event_change){
						   .kind = EVENT_ACCOUNT_ADDED,
						   .account_id = *adding->id,
						   .object_id = *adding->id,
						   .detail = adding->name,
					   });
	return result;
}

enum result service_add_account(struct service *service, const char *name, int64_t *id)
{
	struct adding adding = { account_name(service->arena, name), id };
	if (adding.name)
		return service_transact(service, add_work, &adding, id);
	violations_add(service->violations, "name",
		       "The name field must have 1 to %d characters, and must not be a number.",
		       ACCOUNT_NAME_MAX_CHARS);
	return E_INVALID;
}

struct closing {
	int64_t id;
	const char *name;
};

static enum result close_work(struct service *service, void *context)
{
	const struct closing *closing = context;
	enum result result = removal_mark(service->db, closing->id, service->now, service->error);
	if (result == OK)
		service_add_event(service, &(struct event_change){
						   .kind = EVENT_ACCOUNT_REMOVED,
						   .object_id = closing->id,
						   .detail = closing->name,
					   });
	return result;
}

enum result service_close_account(struct service *service, int64_t id, const char *name)
{
	struct closing closing = { id, name };
	return service_transact(service, close_work, &closing, &closing.id);
}
