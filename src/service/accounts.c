#include "service/accounts.h"

#include "store/account/removal.h"

enum result service_create_account(struct service *service, struct account *account)
{
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

static enum result add_work(struct service *service, void *context)
{
	return service_create_account(service, context);
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

static enum result find_account(struct service *service, int64_t id, struct account *account)
{
	return account_find(service->db, arena_printf(service->arena, "%lld", (long long)id),
			    service->arena, account, service->error);
}

struct demanding {
	int64_t id;
	bool is_demanded;
	struct account *account;
};

static enum result demand_work(struct service *service, void *context)
{
	const struct demanding *demanding = context;
	struct account *account = demanding->account;
	enum result result = find_account(service, demanding->id, account);
	if (result != OK || account->needs_second_factor == demanding->is_demanded)
		return result;
	account->needs_second_factor = demanding->is_demanded;
	service_add_event(service,
			  &(struct event_change){
				  .kind = EVENT_ACCOUNT_UPDATED,
				  .account_id = account->id,
				  .object_id = account->id,
				  .detail = demanding->is_demanded ? "needs_second_factor: true"
								   : "needs_second_factor: false",
			  });
	return account_set_factor(service->db, account, service->error);
}

enum result service_demand_factor(struct service *service, int64_t id, bool is_demanded,
				  struct account *account)
{
	const struct principal *principal = &service->principal;
	struct demanding demanding = { id, is_demanded, account };
	if (principal->account_id > 0 && principal->account_id != id)
		return E_NOT_FOUND;
	if (is_demanded && principal->type != PRINCIPAL_OPERATOR && !principal->has_factor) {
		violations_add(
			service->violations, "needs_second_factor",
			"You have signed in without a second factor, and would lock yourself "
			"out. Set up an authenticator app, or sign in with a passkey, first.");
		return E_INVALID;
	}
	return service_transact(service, PERMISSION_MANAGE, demand_work, &demanding, account);
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
	enum result result = find_account(service, id, account);
	return result == OK ? usage_count(service->db, id, service->now, counts, service->error)
			    : result;
}
