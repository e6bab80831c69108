/*
 * Asks the registries of domains, beside the loop: one domain after the other, as a check of type
 * http would, so with the same rules for addresses. The list of registries is read when it is first
 * needed and kept for REGISTRY_LIST_S; while it cannot be read, the program's own short list
 * counts, unless the operator has chosen another list.
 */
#ifndef CHECK_REGISTRY_H
#define CHECK_REGISTRY_H

#include "base/buf.h"
#include "base/config/config.h"
#include "check/rdap.h"
#include "probe/probe.h"

enum {
	REGISTRY_LIST_S = 7 * 86400,
	REGISTRY_AGAIN_S = 3600, /* after a list that could not be read, and after a status 429 */
	REGISTRY_TIMEOUT_S = 15,
	REGISTRY_LIMITED_MAX = 32, /* suffixes whose registry wants to be left alone */
};

struct registry_limited {
	char suffix[RDAP_DOMAIN_SIZE];
	int64_t until_ms;
};

struct registry {
	/* The end of a question; date 0: unknown, and `why` says why. It may ask the next one. */
	void (*call)(void *context, struct instant date, const char *why);
	void *context;

	/* Private. */
	struct loop *loop;
	struct prober *prober;
	const char *list_url;
	bool is_default_list;
	char *list; /* NULL: the program's own, or none */
	int64_t list_until_ms;
	char domain[RDAP_DOMAIN_SIZE]; /* being asked for; "": none */
	struct loop_timer timer;       /* tells a reason without a request */
	char why[CHECK_CAUSE_MAX_BYTES + 1];
	struct check_settings settings;
	struct probe probe;
	bool is_probing;
	struct buf body;
	struct arena arena; /* of a question */
	struct registry_limited limited[REGISTRY_LIMITED_MAX];
	size_t limited_next;
};

/* `call` and `context` are set. */
void registry_open(struct registry *registry, struct loop *loop, struct prober *prober,
		   const struct config *config);
/* Ends a question without the call. Accepts a registry that is not open. */
void registry_close(struct registry *registry);

/* Whether the registry of the domain may be asked: it has not asked for a pause. */
bool registry_is_ready(const struct registry *registry, const char *domain);
/* Begins; no other question may be open. The call comes later, within a minute. */
void registry_ask(struct registry *registry, const char *domain);

#endif
