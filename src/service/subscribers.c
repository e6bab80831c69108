#include "service/subscribers.h"

#include <string.h>

#include "store/page/page_link.h"
#include "wire/csv_rows.h"

/* A write to the subscribers of a page. */
struct changing {
	int64_t page_id;
	struct status_page page;
	struct subscriber *subscriber;
	const struct subscriber_input *input;
	struct subscriber_import *import;
	struct subscriber *rows; /* the rows of an import */
	size_t count;
	int64_t skipped; /* rows of the file that are not confirmed */
};

static enum result find_page(struct service *service, struct changing *changing)
{
	const struct page_link_owner owner = { .account_id = service->principal.account_id,
					       .page_id = changing->page_id,
					       .is_locked = true };
	return page_link_owner_find(service->db, &owner, service->arena, &changing->page,
				    service->error);
}

static void add_event(struct service *service, const struct changing *changing,
		      enum event_kind kind, const char *detail)
{
	service_add_event(service, &(struct event_change){
					   .kind = kind,
					   .account_id = changing->page.account_id,
					   .object_id = changing->page.id,
					   .detail = detail,
				   });
}

/* Checks that the page may have `wanted` more subscribers. The page is locked. */
static enum result check_room(struct service *service, const struct changing *changing,
			      size_t wanted, const char *field)
{
	int64_t count;
	enum result result =
		subscribers_count(service->db, changing->page.id, &count, service->error);
	if (result != OK || count + (int64_t)wanted <= SUBSCRIBERS_OF_PAGE_MAX)
		return result;
	violations_add(service->violations, field, "A page may have at most %d subscribers.",
		       SUBSCRIBERS_OF_PAGE_MAX);
	return E_INVALID;
}

static enum result refuse(struct service *service, const char *field, const char *text)
{
	violations_add(service->violations, field, "%s", text);
	return E_INVALID;
}

enum result service_put_subscriber_monitors(struct service *service, struct id_list monitor_ids,
					    struct subscriber *subscriber)
{
	subscriber_set_monitors(subscriber, monitor_ids);
	enum result result =
		subscriber_put_monitors(service->db, subscriber, service->arena, service->error);
	return result == E_NOT_FOUND
		       ? refuse(service, "monitor_ids",
				"The selected monitor ids must be systems of the page.")
		       : result;
}

static enum result read_back(struct service *service, const struct changing *changing)
{
	const struct subscriber_place place = {
		.page_id = changing->page.id, .address_hash = changing->subscriber->address_hash
	};
	return subscriber_find(service->db, &place, service->arena, changing->subscriber,
			       service->error);
}

/* Creates the key of the installation if it does not exist, then runs the transaction. The process
 * that sends messages signs links with this key, but does not create it. */
static enum result write(struct service *service, service_work *work, struct changing *changing,
			 const void *outcome)
{
	struct signing_key key;
	enum result result = service_read_key(service, &key);
	return result == OK ? service_transact(service, PERMISSION_MANAGE, work, changing, outcome)
			    : result;
}

static enum result add_work(struct service *service, void *context)
{
	struct changing *changing = context;
	struct subscriber *subscriber = changing->subscriber;
	const char *hash =
		subscriber
			->address_hash; /* restored below, because the transaction may run again */
	int64_t count = 0;
	enum result result = find_page(service, changing);
	if (result == OK)
		result = service_admit(service, NULL);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result == OK)
		result = check_room(service, changing, 1, "address");
	if (result != OK)
		return result;
	subscriber->account_id = changing->page.account_id;
	subscriber->page_id = changing->page.id;
	subscriber->created_at = subscriber->confirmed_at = service->now;
	result =
		subscribers_add(service->db, subscriber, 1, service->arena, &count, service->error);
	if (result == OK && count == 0)
		return refuse(service, "address", "The address has already been taken.");
	if (result == OK)
		result = read_back(service, changing);
	subscriber->address_hash = hash;
	if (result == OK && changing->input->monitor_ids.count > 0)
		result = service_put_subscriber_monitors(service, changing->input->monitor_ids,
							 subscriber);
	if (result == OK)
		add_event(
			service, changing, EVENT_SUBSCRIBER_CREATED,
			arena_printf(service->arena, "subscriber %lld", (long long)subscriber->id));
	return result;
}

enum result service_add_subscriber(struct service *service, int64_t page_id,
				   const struct subscriber_input *input,
				   struct subscriber *subscriber)
{
	struct changing changing = { .page_id = page_id, .input = input, .subscriber = subscriber };
	*subscriber = (struct subscriber){ .takes_all_monitors = true };
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		return E_FORBIDDEN;
	if (!input->address || !subscriber_set_address(subscriber, input->address, service->arena,
						       service->violations))
		return E_INVALID;
	return write(service, add_work, &changing, subscriber);
}

static enum result delete_work(struct service *service, void *context)
{
	struct changing *changing = context;
	struct subscriber *subscriber = changing->subscriber;
	const struct subscriber_place place = { .account_id = service->principal.account_id,
						.page_id = changing->page_id,
						.id = subscriber->id,
						.for_update = true };
	enum result result = find_page(service, changing);
	if (result == OK)
		result = subscriber_find(service->db, &place, service->arena, subscriber,
					 service->error);
	if (result == OK)
		result = service_admit(service, subscriber);
	if (result == OK)
		result = subscriber_delete(service->db, subscriber->id, service->error);
	if (result == OK)
		add_event(
			service, changing, EVENT_SUBSCRIBER_DELETED,
			arena_printf(service->arena, "subscriber %lld", (long long)subscriber->id));
	return result;
}

enum result service_delete_subscriber(struct service *service, int64_t page_id, int64_t id,
				      struct subscriber *subscriber)
{
	struct changing changing = { .page_id = page_id, .subscriber = subscriber };
	*subscriber = (struct subscriber){ .id = id };
	return service_transact(service, PERMISSION_MANAGE, delete_work, &changing, subscriber);
}

/* Import and export */

static const struct field import_rows[] = {
	FIELD(struct subscriber_import, added, .text = "How many subscribers are new."),
	FIELD(struct subscriber_import, skipped,
	      .text = "How many rows were left out: the page has the address, or the row is not "
		      "confirmed."),
};
const struct fields subscriber_import_fields = { import_rows, ARRAY_LEN(import_rows) };

/* The state of reading a file, with the confirmed rows so far. */
struct parsing {
	struct service *service;
	struct subscriber *rows;
	size_t count;
	size_t room;
	int64_t skipped;
	int address, state, systems; /* columns; -1: there is none */
};

static int column_of(const struct csv_row *head, const char *name)
{
	for (size_t i = 0; i < head->count; i++)
		if (strcmp(head->values[i], name) == 0)
			return (int)i;
	return -1;
}

static enum result bad_line(struct parsing *parsing, size_t line, const char *text)
{
	violations_add(parsing->service->violations, "file",
		       "The file field is wrong in line %zu: %s", line, text);
	return E_INVALID;
}

static enum result take_head(struct parsing *parsing, const struct csv_row *row)
{
	parsing->address = column_of(row, "address");
	parsing->state = column_of(row, "state");
	parsing->systems = column_of(row, "monitor_ids");
	return parsing->address >= 0
		       ? OK
		       : bad_line(parsing, row->line, "the header has no column address.");
}

/* Returns the address without the apostrophe that csv_put() writes before a formula. */
static const char *exported(const char *text)
{
	return *text == '\'' && csv_is_like_formula(text + 1) ? text + 1 : text;
}

/* Reads the ids of systems, such as "7 12". An empty text means the whole page. */
static bool read_systems(struct subscriber *subscriber, const char *text, struct arena *arena)
{
	struct str rest = str_trim(str_from(text)), word;
	struct id_list list = { 0 };
	size_t room = 0;
	while (rest.len > 0 && str_split(&rest, ' ', &word)) {
		int64_t id;
		if (!str_to_int64(word, &id) || id <= 0)
			return false;
		list.ids = arena_grow(arena, list.ids, list.count, &room, sizeof(*list.ids));
		list.ids[list.count++] = id;
	}
	subscriber_set_monitors(subscriber, list);
	return true;
}

static enum result take_row(void *context, const struct csv_row *row)
{
	struct parsing *parsing = context;
	struct subscriber subscriber = { .takes_all_monitors = true };
	struct violations violations;
	if (parsing->address < 0)
		return take_head(parsing, row);
	if ((size_t)parsing->address >= row->count)
		return bad_line(parsing, row->line, "the row is too short.");
	if (parsing->state >= 0 && (size_t)parsing->state < row->count &&
	    strcmp(row->values[parsing->state], subscriber_state_words[SUBSCRIBER_CONFIRMED]) !=
		    0) {
		parsing->skipped++;
		return OK;
	}
	violations_init(&violations, parsing->service->arena);
	if (!subscriber_set_address(&subscriber, exported(row->values[parsing->address]),
				    parsing->service->arena, &violations))
		return bad_line(parsing, row->line,
				"there is no address of e-mail, and no https URL.");
	if (parsing->systems >= 0 && (size_t)parsing->systems < row->count &&
	    !read_systems(&subscriber, row->values[parsing->systems], parsing->service->arena))
		return bad_line(parsing, row->line, "monitor_ids must be ids with blanks between.");
	if (parsing->count == SUBSCRIBERS_IMPORT_MAX)
		return bad_line(parsing, row->line, "the file has more than 20000 rows.");
	parsing->rows = arena_grow(parsing->service->arena, parsing->rows, parsing->count,
				   &parsing->room, sizeof(*parsing->rows));
	parsing->rows[parsing->count++] = subscriber;
	return OK;
}

/* Checks that the page shows all systems that the rows name. */
static enum result check_systems(struct service *service, const struct changing *changing)
{
	struct db_list found = { 0 };
	enum result result = subscribers_systems(service->db, changing->page.id, service->arena,
						 &found, service->error);
	const struct subscriber_system *systems = found.rows;
	struct id_list shown = { ARENA_ARRAY(service->arena, found.count, int64_t), found.count };
	size_t total = 0;
	for (size_t i = 0; i < found.count; i++)
		shown.ids[i] = systems[i].id;
	id_list_settle(&shown);
	for (size_t i = 0; result == OK && i < changing->count; i++) {
		const struct id_list *ids = &changing->rows[i].monitor_ids;
		total += ids->count;
		if (total > SUBSCRIBERS_IMPORT_SYSTEMS_MAX)
			return refuse(service, "file", "The file field names too many systems.");
		for (size_t j = 0; j < ids->count; j++)
			if (!id_list_has(&shown, ids->ids[j]))
				return refuse(service, "file",
					      arena_printf(service->arena,
							   "The file field names the system %lld, "
							   "which the page does not show.",
							   (long long)ids->ids[j]));
	}
	return result;
}

static enum result import_work(struct service *service, void *context)
{
	struct changing *changing = context;
	struct subscriber_import *import = changing->import;
	enum result result = find_page(service, changing);
	if (result == OK)
		result = service_admit(service, NULL);
	if (result == OK)
		result = check_room(service, changing, changing->count, "file");
	if (result != OK)
		return result;
	result = check_systems(service, changing);
	if (result != OK)
		return result;
	for (size_t i = 0; i < changing->count; i++) {
		changing->rows[i].account_id = changing->page.account_id;
		changing->rows[i].page_id = changing->page.id;
		changing->rows[i].created_at = changing->rows[i].confirmed_at = service->now;
	}
	result = subscribers_add(service->db, changing->rows, changing->count, service->arena,
				 &import->added, service->error);
	import->skipped = changing->skipped + (int64_t)changing->count - import->added;
	if (result == OK)
		add_event(service, changing, EVENT_SUBSCRIBERS_IMPORTED,
			  arena_printf(service->arena, "%lld new", (long long)import->added));
	return result;
}

enum result service_import_subscribers(struct service *service, int64_t page_id,
				       struct subscriber_import *import)
{
	struct parsing parsing = { .service = service, .address = -1 };
	size_t line = 1;
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		return E_FORBIDDEN;
	if (service->violations->count > 0)
		return E_INVALID;
	enum result result = csv_rows_read(import->csv, service->arena, take_row, &parsing, &line);
	if (result == E_MALFORMED)
		result = bad_line(&parsing, line,
				  "its quotes are not closed, or it has a NUL byte.");
	else if (result == OK && parsing.address < 0)
		result = bad_line(&parsing, line, "the header has no column address.");
	if (result != OK)
		return result;
	struct changing changing = {
		.page_id = page_id,
		.import = import,
		.rows = parsing.rows,
		.count = parsing.count,
		.skipped = parsing.skipped,
	};
	return write(service, import_work, &changing, import);
}

static void put_row(struct buf *out, const struct subscriber *row)
{
	char text[INSTANT_TEXT_SIZE];
	csv_put(out, row->address);
	buf_printf(out, ",%s,%s,%s,", subscriber_type_words[row->type],
		   subscriber_state_words[row->state],
		   row->confirmed_at.s > 0 ? instant_format(row->confirmed_at, text) : "");
	for (size_t i = 0; i < row->monitor_ids.count; i++)
		buf_printf(out, "%s%lld", i > 0 ? " " : "", (long long)row->monitor_ids.ids[i]);
	buf_puts(out, "\r\n");
}

enum result service_export_subscribers(struct service *service, int64_t page_id, struct buf *out)
{
	struct changing changing = { .page_id = page_id };
	struct subscriber_list list = { 0 };
	int64_t after_id = 0;
	if (!principal_may(&service->principal, PERMISSION_MANAGE))
		return E_FORBIDDEN;
	const struct page_link_owner owner = { .account_id = service->principal.account_id,
					       .page_id = page_id };
	enum result result = page_link_owner_find(service->db, &owner, service->arena,
						  &changing.page, service->error);
	buf_puts(out, "address,type,state,confirmed_at,monitor_ids\r\n");
	do {
		struct arena arena CLEANUP(arena_done);
		arena_init(&arena, 64 << 20);
		if (result == OK)
			result = subscribers_after(service->db, changing.page.account_id, page_id,
						   after_id, &arena, &list, service->error);
		for (size_t i = 0; result == OK && i < list.count; i++)
			put_row(out, &list.rows[i]);
		after_id = result == OK && list.count > 0 ? list.rows[list.count - 1].id : 0;
	} while (result == OK && list.count == SUBSCRIBERS_MAX);
	return result;
}
