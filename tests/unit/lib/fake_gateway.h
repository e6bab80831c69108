/* A gateway whose request is a table of variables and a text. */
#ifndef UNIT_LIB_FAKE_GATEWAY_H
#define UNIT_LIB_FAKE_GATEWAY_H

#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/str.h"
#include "http/gateway.h"

struct fake_gateway {
	struct gateway gateway;
	const char *params[24][2];
	struct str body;
	size_t piece;	/* bytes a read; 0 for all */
	bool is_broken; /* reads fail at the end */
};

static inline const char *fake_param(struct gateway *gateway, const char *name)
{
	struct fake_gateway *fake = CONTAINER_OF(gateway, struct fake_gateway, gateway);
	for (size_t i = 0; i < ARRAY_LEN(fake->params) && fake->params[i][0]; i++)
		if (strcmp(fake->params[i][0], name) == 0)
			return fake->params[i][1];
	return NULL;
}

static inline ssize_t fake_read(struct gateway *gateway, char *out, size_t size)
{
	struct fake_gateway *fake = CONTAINER_OF(gateway, struct fake_gateway, gateway);
	size_t len = fake->body.len < size ? fake->body.len : size;
	if (fake->piece > 0 && len > fake->piece)
		len = fake->piece;
	if (len == 0 && fake->is_broken)
		return -1;
	memcpy(out, fake->body.data, len);
	fake->body = str_skip(fake->body, len);
	return (ssize_t)len;
}

static inline bool fake_write(struct gateway *gateway, const void *data, size_t len)
{
	(void)gateway;
	(void)data;
	(void)len;
	return true;
}

#define FAKE_GATEWAY \
	{ \
		fake_param, fake_read, fake_write, .is_framed = true \
	}

#endif
