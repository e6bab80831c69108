/*
 * Asks the registries of domains, beside the loop, one domain after the other. A request is made as
 * a check of type http, so the same rules for addresses apply. The list of registries is read when
 * it is first needed, and is kept for REGISTRY_LIST_S seconds. If the default list cannot be read,
 * the program's own short list is used.
 */
#ifndef CHECK_REGISTRY_H
#define CHECK_REGISTRY_H

#include "base/buf.h"
#include "base/config/config.h"
#include "check/rdap.h"
#include "probe/probe.h"

enum {
	REGISTRY_LIST_S = 7 * 86400,
	/* The wait after a failure to read the list, and after a registry's status 429. */
	REGISTRY_AGAIN_S = 3600,
	REGISTRY_TIMEOUT_S = 15,
	REGISTRY_LIMITED_MAX = 32, /* suffixes of registries that have responded 429 */
};

struct registry_limited {
	char suffix[RDAP_DOMAIN_SIZE];
	int64_t until_ms;
};

struct registry {
	/* Called with the end of the registration; date 0: unknown, and `why` has the reason. The
	 * call may ask for the next domain. */
	void (*call)(void *context, struct instant date, const char *why);
	void *context;

	/* Private. */
	struct loop *loop;
	struct prober *prober;
	const char *list_url;
	bool is_default_list;
	char *list; /* NULL: none; the program's own list is used if is_default_list */
	int64_t list_until_ms;
	char domain[RDAP_DOMAIN_SIZE]; /* the domain of the present request; "": none */
	struct loop_timer timer;       /* calls `call` with `why` if no request can be made */
	char why[CHECK_CAUSE_MAX_BYTES + 1];
	struct check_settings settings;
	struct probe probe;
	bool is_probing;
	struct buf body;
	struct arena arena; /* memory for one domain */
	struct registry_limited limited[REGISTRY_LIMITED_MAX];
	size_t limited_next;
};

/* Opens the registry. The caller has set `call` and `context`. */
void registry_open(struct registry *registry, struct loop *loop, struct prober *prober,
		   const struct config *config);
/* Cancels the present request without calling `call`. Accepts a registry that is not open. */
void registry_close(struct registry *registry);

/* Returns whether the registry of the domain may be asked now: it has not responded 429
 * recently. */
bool registry_is_ready(const struct registry *registry, const char *domain);
/* Asks the registry of `domain` for the end of its registration. Calls `call` later, within a
 * minute. No other request may be running. */
void registry_ask(struct registry *registry, const char *domain);

#endif
