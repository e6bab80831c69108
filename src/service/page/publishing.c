/*
 * Publishes after an operation's COMMIT and before its response.
 *
 * A committed change stays committed even if the disk is full. service->publishing then has the
 * failure, and the next publish writes the page again. An operation may change many monitors: a
 * bounded caller publishes only as many pages of these monitors as the configuration allows, and
 * the background loop publishes the other pages.
 */
#include "base/clock.h"
#include "service/service.h"

struct publisher service_publisher(const struct service *service)
{
	return (struct publisher){
		.db = service->db,
		.path = service->config->pages_dir,
		.base_url = service->base_url,
		.settings = pages_settings(service->config),
		.site = service->site,
		.now = service->now,
		.arena = service->arena,
		.pause = service->caller ? service->caller->pause : NULL,
		.context = service->caller_context,
	};
}

void service_mark_page(struct service *service, const struct publish_order *order)
{
	service->dirty.page = *order;
}

void service_mark_account(struct service *service, int64_t account_id)
{
	service->dirty.is_wide = true;
	service->dirty.account_id = account_id;
}

void service_mark_monitor(struct service *service, int64_t monitor_id, int64_t account_id)
{
	struct service_dirty *dirty = &service->dirty;
	for (size_t i = 0; i < dirty->monitor_count; i++)
		if (dirty->monitor_ids[i] == monitor_id)
			return;
	if (dirty->monitor_count < SERVICE_DIRTY_MONITORS_MAX)
		dirty->monitor_ids[dirty->monitor_count++] = monitor_id;
	else
		service_mark_account(service, account_id);
}

/* GRACE_MS: how long a publish that has begun, or that waits for other publishers, may exceed the
 * configured time. The disk, the database and the response may take this time once more. */
enum {
	GRACE_MS = 500,
	/* Additional time for a page that fewer visitors may see after the change: until it is
	 * published, all former visitors can still see it. */
	TIGHTENED_MS = 10000,
};

static void record_outcome(struct service *service, enum result result, const struct error *failure)
{
	if (result == OK)
		return;
	service->publishing.result = result;
	service->publishing.failure = *failure;
}

/* Returns the limits for the caller's publishing; NULL: there are none. Their time begins with the
 * first call of this function. */
static struct publish_allowance *allowance_of(struct service *service)
{
	struct service_publishing *publishing = &service->publishing;
	const struct config *config = service->config;
	if (!publishing->is_bounded)
		return NULL;
	if (!publishing->is_begun) {
		publishing->is_begun = true;
		publishing->allowance = (struct publish_allowance){
			.pages = config->publish_in_request_pages,
			.until_ms = clock_ms() + config->publish_in_request_ms,
		};
	}
	return &publishing->allowance;
}

/* Returns a publisher that counts the pages it writes. For a bounded caller, the publisher does not
 * mark the pages: service_finish_publishing() marks them. */
static struct publisher counting_publisher(struct service *service)
{
	const struct publish_allowance *allowance = allowance_of(service);
	struct publisher publisher = service_publisher(service);
	struct service_publishing *publishing = &service->publishing;
	publisher.written = &publishing->written;
	publishing->rest.arena = service->arena;
	publisher.rest = publishing->is_bounded ? &publishing->rest : NULL;
	publisher.until_ms = allowance ? allowance->until_ms + GRACE_MS : 0;
	return publisher;
}

enum result service_finish_publishing(struct service *service, struct error *error)
{
	struct service_publishing *publishing = &service->publishing;
	/* If nothing was published, there is nothing to finish; for example, after a request that
	 * was refused before its body was read. */
	if (!publishing->rest.arena)
		return OK;
	struct publisher publisher = counting_publisher(service);
	enum result result = publish_finish(&publisher, error);
	publisher.until_ms = 0;
	for (size_t i = 0; i < publishing->left_count; i++) {
		const struct publish_order order = { .page_id = publishing->left_pages[i],
						     .has_moved = true };
		enum result removed = publish_page(&publisher, &order, error);
		result = removed == OK ? result : removed;
	}
	if (result == OK && publishing->left_count > 0)
		result = publish_finish(&publisher, error);
	publishing->left_count = 0;
	return result;
}

/*
 * Leaves a page to the background loop, which finds changed pages itself. If the page has given up
 * an address, adds the page to the list of service_finish_publishing(), because the files at this
 * address must not wait for the loop.
 */
static void leave_page(struct service *service, const struct publish_order *order)
{
	struct service_publishing *publishing = &service->publishing;
	publishing->is_pending = true;
	if (!order->has_moved)
		return;
	publishing->left_pages = arena_grow(service->arena, publishing->left_pages,
					    publishing->left_count, &publishing->left_room,
					    sizeof(*publishing->left_pages));
	publishing->left_pages[publishing->left_count++] = order->page_id;
}

/* Publishes the page that the operation has written. */
static void publish_own_page(struct service *service, const struct publish_order *order)
{
	struct error failure = { 0 };
	struct publisher publisher = counting_publisher(service);
	int ticket = RUNNING_WRITES_NOT_COUNTED;
	/* Limit how many writes of one account wait for publishers: they must not occupy every
	 * thread. */
	if (publisher.until_ms > 0 && !order->has_moved &&
	    service->publishing.tightened_page == order->page_id &&
	    running_writes_linger(service->principal.account_id,
				  config_half_threads(service->config), &ticket))
		publisher.until_ms += TIGHTENED_MS;
	enum result result = publish_page(&publisher, order, &failure);
	running_writes_leave(ticket);
	if (result == E_TOO_SLOW)
		leave_page(service, order);
	else
		record_outcome(service, result, &failure);
}

static void publish_pages(struct service *service, struct publish_run run)
{
	struct error failure = { 0 };
	struct publisher publisher = counting_publisher(service);
	run.allowance = allowance_of(service);
	run.progress = service->publishing.progress;
	run.context = service->publishing.progress_context;
	record_outcome(service, publish_run(&publisher, &run, &failure), &failure);
	/* The background loop publishes the remaining pages. */
	service->publishing.is_pending |= run.is_cut;
}

void service_publish(struct service *service)
{
	const struct service_dirty *dirty = &service->dirty;
	if (dirty->is_wide)
		publish_pages(service, (struct publish_run){ .account_id = dirty->account_id });
	else if (dirty->monitor_count > 0)
		publish_pages(service,
			      (struct publish_run){ .monitor_ids = dirty->monitor_ids,
						    .monitor_count = dirty->monitor_count });
	if (dirty->page.page_id > 0)
		publish_own_page(service, &dirty->page);
}

void service_hold_publishing(struct service *service)
{
	service->publishing.is_held = true;
}

void service_publish_held(struct service *service)
{
	service->publishing.is_held = false;
	service_publish(service);
	service->dirty = (struct service_dirty){ 0 };
}
