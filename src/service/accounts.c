#include "service/accounts.h"

#include "store/account/removal.h"

static enum result add_work(struct service *service, void *context)
{
	struct account *account = context;
	account->created_at = service->now;
	enum result result = account_add(service->db, account, service->error);
	if (result == OK)
		service_add_event(service, &(struct event_change){
						   .kind = EVENT_ACCOUNT_CREATED,
						   .account_id = account->id,
						   .object_id = account->id,
						   .detail = account->name,
					   });
	return result;
}

enum result service_add_account(struct service *service, const struct account_input *input,
				struct account *account)
{
	struct account_input checked = *input;
	account_check(&checked, service->arena, service->violations);
	if (service->violations->count > 0)
		return E_INVALID;
	*account = (struct account){ 0 };
	account_merge(account, &checked, FIELD_SET_ALL);
	return service_transact(service, PERMISSION_MANAGE, add_work, account, account);
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
						   .kind = EVENT_ACCOUNT_DELETED,
						   .object_id = closing->id,
						   .detail = closing->name,
					   });
	return result;
}

enum result service_close_account(struct service *service, int64_t id, const char *name)
{
	struct closing closing = { id, name };
	return service_transact(service, PERMISSION_MANAGE, close_work, &closing, &closing.id);
}

enum result service_show_account(struct service *service, struct account *account,
				 struct usage_counts *counts)
{
	int64_t id = service->principal.account_id;
	if (!principal_may(&service->principal, PERMISSION_READ))
		return E_FORBIDDEN;
	enum result result = account_find(service->db,
					  arena_printf(service->arena, "%lld", (long long)id),
					  service->arena, account, service->error);
	return result == OK ? usage_count(service->db, id, service->now, counts, service->error)
			    : result;
}
