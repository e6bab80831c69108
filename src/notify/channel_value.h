/* The value of an alert channel, encrypted with the key of the installation. */
#ifndef NOTIFY_CHANNEL_VALUE_H
#define NOTIFY_CHANNEL_VALUE_H

#include "access/signing_key.h"
#include "base/arena.h"
#include "base/error.h"
#include "domain/notify/alert_channel.h"

/* Sets channel->sealed_value, owned by the arena. E_BUSY: memory is short. */
enum result channel_value_seal(struct alert_channel *channel, const struct signing_key *key,
			       struct arena *arena, struct error *error) MUST_USE;
/*
 * Reads the value that was sealed for a channel of the account. False: the value was sealed with
 * another key, so it must be entered again; *value is empty.
 */
bool channel_value_open(struct alert_channel_value *value, int64_t account_id, const char *sealed,
			const struct signing_key *key, struct arena *arena);

#endif
