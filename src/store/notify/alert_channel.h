/* Alert channels in MySQL. The value of a channel is stored encrypted: see
 * service/alert_channels.h. */
#ifndef STORE_NOTIFY_ALERT_CHANNEL_H
#define STORE_NOTIFY_ALERT_CHANNEL_H

#include "db/db.h"
#include "domain/notify/alert_channel.h"
#include "store/list.h"

enum { ALERT_CHANNELS_MAX = 1000 };
struct alert_channel_list {
	struct alert_channel *rows; /* owned by the arena */
	size_t count;
	int64_t total; /* the number of rows of the whole list, not only of this page */
};

/* The values of list.sort_by, in the order of the list's words. */
enum alert_channel_sort { ALERT_CHANNEL_BY_ID, ALERT_CHANNEL_BY_NAME };
struct alert_channel_query {
	struct list_query list;
	int type; /* -1: any */
};

/* Inserts the channel, and sets channel->id. */
enum result alert_channel_add(struct db *db, struct alert_channel *channel, struct error *error)
	MUST_USE;
/* Stores all fields of the channel, and ends its suspension. */
enum result alert_channel_put(struct db *db, const struct alert_channel *channel,
			      struct error *error) MUST_USE;
/* Deletes the channel and its deliveries, and removes the channel from monitors. */
enum result alert_channel_delete(struct db *db, int64_t id, struct error *error) MUST_USE;

/* Finds a channel of the account (0: of any account), and locks its row if for_update. E_NOT_FOUND:
 * there is none. */
enum result alert_channel_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			       struct arena *arena, struct alert_channel *channel,
			       struct error *error) MUST_USE;
enum result alert_channels_list(struct db *db, const struct alert_channel_query *query,
				struct arena *arena, struct alert_channel_list *list,
				struct error *error) MUST_USE;
/* Lists up to ALERT_CHANNELS_MAX channels of the account (0: of all accounts) with ids above
 * `after_id`, by id. */
enum result alert_channels_after(struct db *db, int64_t account_id, int64_t after_id,
				 struct arena *arena, struct alert_channel_list *list,
				 struct error *error) MUST_USE;

/* Lists up to `most` suspended channels of all accounts, by id. A channel is suspended when its
 * receiver refuses messages. */
enum result alert_channels_suspended(struct db *db, size_t most, struct arena *arena,
				     struct alert_channel_list *list, struct error *error) MUST_USE;

/* Which channels several monitors of an account are to have. At most SQL_ROWS_MAX / 2 monitors. */
struct monitor_channels {
	struct id_list monitors;
	struct id_list channels; /* must not be empty if keeps_others is true */
	bool keeps_others;
};
/* Replaces the channels of the monitors, or adds channels to them if keeps_others. E_NOT_FOUND: the
 * account lacks one of the channels. Runs up to two statements. */
enum result monitor_channels_put(struct db *db, const struct monitor_channels *links,
				 struct arena *arena, struct error *error) MUST_USE;

#endif
