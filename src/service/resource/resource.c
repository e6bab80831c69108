#include "service/resource/resource.h"

#include <string.h>

#include "base/log.h"
#include "base/secret.h"
#include "wire/json.h"
#include "wire/limits.h"

const char *const resource_per_page_words[] = { "10", "25", "50", "100", NULL };
const char *const resource_sort_words[] = { "desc", "asc", NULL };
static const int64_t per_page_sizes[] = { 10, 25, 50, 100 };

int64_t resource_per_page(int choice)
{
	if (choice < 0 || (size_t)choice >= ARRAY_LEN(per_page_sizes))
		die("resource: there is no choice %d of page sizes", choice);
	return per_page_sizes[choice];
}

int resource_per_page_default(const struct config *config)
{
	for (size_t choice = 0; choice < ARRAY_LEN(per_page_sizes); choice++)
		if (per_page_sizes[choice] == config->per_page)
			return (int)choice;
	die("resource: there is no page of %lld", (long long)config->per_page);
}

static bool may_read(const struct service *service, const struct resource *resource)
{
	return principal_may(&service->principal, resource->permission != PERMISSION_NONE
							  ? resource->permission
							  : PERMISSION_READ);
}

enum result resource_list(struct service *service, const struct resource *resource,
			  int64_t owner_id, void *query, struct resource_rows *rows)
{
	struct list_query *list = query;
	if (!may_read(service, resource))
		return E_FORBIDDEN;
	if (service->principal.account_id > 0)
		list->account_id = service->principal.account_id;
	list->owner_id = owner_id;
	list->now = service->now;
	if (list->limit == 0)
		list->limit = resource_per_page(list->per_page);
	list->offset = (list->page - 1) * list->limit;
	*rows = (struct resource_rows){ 0 };
	return resource->list(service, query, rows);
}

enum result resource_list_after(struct service *service, const struct resource *resource,
				int64_t account_id, int64_t after_id, struct resource_rows *rows)
{
	const struct principal *principal = &service->principal;
	*rows = (struct resource_rows){ 0 };
	return may_read(service, resource)
		       ? resource->list_after(service,
					      principal->account_id > 0 ? principal->account_id
									: account_id,
					      after_id, rows)
		       : E_FORBIDDEN;
}

enum result resource_find(struct service *service, const struct resource *resource,
			  const struct resource_place *place, void *row)
{
	return may_read(service, resource) ? resource->find(service, place, row) : E_FORBIDDEN;
}

enum result resource_complete(struct service *service, const struct resource *resource, void *row)
{
	return resource->complete ? resource->complete(service, row) : OK;
}

const void *resource_present(struct service *service, const struct resource *resource,
			     const void *row)
{
	return resource->present ? resource->present(service, row) : row;
}

int64_t resource_id(const struct resource *resource, const void *row)
{
	return *FIELD_AT_CONST(row, fields_find(*resource->shown, "id"), int64_t);
}

int64_t resource_hash(struct fields fields, const void *row)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(WIRE_RESPONSE_MAX_BYTES);
	uint8_t hash[SECRET_HASH_BYTES];
	int64_t number;
	json_print_fields(&text, fields, row);
	secret_hash(buf_ok(&text) ? (struct str){ text.data, text.len } : STR(""), hash);
	memcpy(&number, hash, sizeof(number));
	return number & INT64_MAX;
}

int64_t resource_revision(const struct resource *resource, const void *row)
{
	return resource->revision ? resource->revision(row) : resource_hash(*resource->shown, row);
}

bool resource_is_settled(const struct resource *resource, const void *row)
{
	return !resource->is_settled || resource->is_settled(row);
}
