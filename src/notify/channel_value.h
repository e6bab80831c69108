/* Encrypts and decrypts the value of an alert channel, with the key of the installation. */
#ifndef NOTIFY_CHANNEL_VALUE_H
#define NOTIFY_CHANNEL_VALUE_H

#include "access/signing_key.h"
#include "base/arena.h"
#include "base/error.h"
#include "domain/notify/alert_channel.h"

/* Encrypts channel->value and sets channel->sealed_value, owned by the arena. E_BUSY: memory is
 * short. */
enum result channel_value_seal(struct alert_channel *channel, const struct signing_key *key,
			       struct arena *arena, struct error *error) MUST_USE;
/*
 * Decrypts the value of a channel of the account. Returns false, with an empty *value, if the value
 * was encrypted with another key. People must then enter the value again.
 */
bool channel_value_open(struct alert_channel_value *value, int64_t account_id, const char *sealed,
			const struct signing_key *key, struct arena *arena);

#endif
