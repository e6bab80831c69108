#include "service/check_signals.h"

#include "publish/folder/signal_spool.h"
#include "store/check/check_figures.h"
#include "store/monitor/monitor_uptime.h"

enum result service_take_heartbeat(struct service *service, const struct check_signal *heartbeat)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct error failure = { 0 };
	int64_t added = 0;
	enum result opened = pages_dir_open(&dir, service->config->pages_dir, service->error);
	if (opened != OK || !signal_spool_exists(&dir)) {
		enum result result = check_signals_send(service->db, heartbeat, 1, heartbeat->at,
							&added, &failure);
		if (!result_is_of_database(result)) {
			*service->error = failure;
			return result == OK && added == 0 ? E_NOT_FOUND : result;
		}
		/* After E_UNCERTAIN the database may have stored the heartbeat already: storing a
		 * heartbeat twice does no harm. */
	}
	if (opened == OK)
		return signal_spool_add(&dir, heartbeat, service->error);
	return opened == E_FAILED ? E_UNAVAILABLE : opened;
}

/* Signals on their way from the disk to the database. */
struct moving {
	const struct signal_spool *spool;
	struct check_signal rows[SERVICE_SIGNALS_MOVED];
	int64_t from;
	int64_t to;
};

static enum result move_some(struct db *db, void *context, struct error *error)
{
	struct moving *moving = context;
	size_t count = 0;
	int64_t added;
	enum result result = check_spool_find(db, moving->spool->id, &moving->from, error);
	moving->to = moving->from;
	if (result == OK)
		result = signal_spool_read(moving->spool, &moving->to, moving->rows,
					   ARRAY_LEN(moving->rows), &count, error);
	if (result == OK && count > 0)
		result = check_signals_send(db, moving->rows, count, clock_now(), &added, error);
	if (result == OK && moving->to > moving->from)
		result = check_spool_store(db, moving->spool->id, moving->to, error);
	return result;
}

enum result service_move_signals(struct db *db, const char *pages_dir, bool (*goes_on)(void *),
				 void *context, bool *is_more, struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct signal_spool spool CLEANUP(signal_spool_close) = SIGNAL_SPOOL_CLOSED;
	struct moving moving = { .spool = &spool };
	bool is_removed = false;
	enum result result = pages_dir_open(&dir, pages_dir, error);
	*is_more = false;
	if (result == OK)
		result = signal_spool_open(&spool, &dir, error);
	if (result == E_NOT_FOUND)
		return OK;
	while (result == OK && !is_removed && goes_on(context)) {
		result = db_transact(db, DB_WRITE, move_some, &moving, error);
		if (result == OK && moving.to == moving.from)
			result = signal_spool_remove(&spool, &dir, moving.to, &is_removed, error);
	}
	if (result == OK && is_removed)
		result = check_spool_forget(db, spool.id, error);
	*is_more = result == OK && !is_removed;
	return result;
}

/* A monitor that is to be checked now, or that gets figures. */
struct checking {
	int64_t id;
	struct monitor *monitor;
	struct field_rows figures;
};

/* Locks and reads the monitor. */
static enum result find_monitor(struct service *service, struct checking *checking)
{
	int64_t account_id = service->principal.account_id;
	enum result result = service_await_one(service, RUNNING_WRITES_MONITORS, checking->id);
	if (result == OK)
		result = monitor_lock(service->db, account_id, checking->id, service->arena,
				      checking->monitor, service->error);
	if (result == OK)
		result = monitor_find(service->db, account_id, checking->id, service->now,
				      service->arena, checking->monitor, service->error);
	return result;
}

static enum result refuse(struct service *service, const char *reason)
{
	return error_client(service->error, E_CONFLICT, "%s", reason);
}

/* Why the checker does not check the monitor; NULL: it does. */
static const char *reason_not_to_check(const struct checking *checking)
{
	if (checking->monitor->retired_at.s > 0)
		return "The monitor is retired.";
	if (checking->monitor->is_paused)
		return "The monitor is paused: resume it first.";
	if (checking->monitor->type == CHECK_EXTERNAL)
		return "Daymark does not check this monitor: its type is external.";
	if (checking->monitor->type == CHECK_HEARTBEAT)
		return "Daymark does not check this monitor: it sends heartbeats itself.";
	return NULL;
}

static enum result check_work(struct service *service, void *context)
{
	struct checking *checking = context;
	int64_t added;
	enum result result = find_monitor(service, checking);
	if (result != OK)
		return result;
	const char *reason = reason_not_to_check(checking);
	if (reason)
		return refuse(service, reason);
	const struct check_signal signal = { .monitor_id = checking->id,
					     .kind = SIGNAL_CHECK_NOW,
					     .at = service->now };
	result = check_signals_send(service->db, &signal, 1, service->now, &added, service->error);
	return result == OK ? monitor_read_uptimes(service->db, checking->monitor, 1, service->now,
						   service->error)
			    : result;
}

enum result service_check_monitor(struct service *service, int64_t id, struct monitor *monitor)
{
	struct checking checking = { .id = id, .monitor = monitor };
	return service_transact(service, PERMISSION_RESPOND, check_work, &checking, monitor);
}

static enum result figures_work(struct service *service, void *context)
{
	struct checking *checking = context;
	if (service->violations->count > 0)
		return E_INVALID;
	enum result result = find_monitor(service, checking);
	if (result == OK && checking->monitor->retired_at.s > 0)
		return refuse(service, "The monitor is retired.");
	if (result == OK && checking->monitor->type != CHECK_EXTERNAL)
		return refuse(service, "Daymark checks this monitor itself: figures are for "
				       "monitors of type external.");
	if (result == OK)
		result = check_figures_add(service->db, checking->id, checking->figures,
					   service->arena, service->error);
	return result == OK ? monitor_read_uptimes(service->db, checking->monitor, 1, service->now,
						   service->error)
			    : result;
}

enum result service_add_figures(struct service *service, int64_t id, struct field_rows figures,
				struct monitor *monitor)
{
	struct checking checking = { .id = id, .monitor = monitor, .figures = figures };
	return service_transact(service, PERMISSION_REPORT, figures_work, &checking, monitor);
}
