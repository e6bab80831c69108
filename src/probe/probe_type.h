/* The interface between the types of checks and the prober, for the files of this folder. */
#ifndef PROBE_PROBE_TYPE_H
#define PROBE_PROBE_TYPE_H

#include "base/attr.h"
#include "probe/probe.h"
#include "probe/resolver.h"

struct probe_type {
	/* Begins the check. May end it at once by probe_end(). May allocate probe->own. */
	void (*start)(struct probe *probe);
	/* Called once: when the check has ended or timed out, or by probe_cancel(). Sets the times
	 * of the reached steps that are not set yet. Frees everything of the check. */
	void (*stop)(struct probe *probe);
	bool connects; /* the check connects, so it has a time connected_us */
};
extern const struct probe_type probe_http, probe_tcp, probe_ping, probe_dns, probe_tls;

/* How long a prober keeps the trusted certificates of this machine in memory. It notices newly
 * installed certificates only after this time. */
enum { PROBE_TRUST_KEEP_S = 3600 };

/* The data that the probes of a prober share. */
struct prober {
	struct loop *loop;
	struct prober_settings settings;
	struct resolver *resolver;
	struct probe_http_shared *http; /* probe_http.c */
	struct ssl_ctx_st *tls;		/* with the trusted certificates; probe_tls.c */
	int64_t tls_until_ms;
};
enum result probe_http_open(struct prober *prober, struct error *error) MUST_USE;
/* Each function closes its part of the prober. Does nothing if the prober lacks this part. */
void probe_http_close(struct prober *prober);
void probe_tls_close(struct prober *prober);

/*
 * Ends the check with the result `is_up` and a cause (a printf format; NULL for success). May be
 * called from anywhere: the loop calls stop() and probe->call in its next turn. If it is called
 * again, the first result remains.
 */
void probe_end(struct probe *probe, bool is_up, const char *cause, ...)
	__attribute__((format(printf, 3, 4)));
/* Ends the check as void: it has failed for a reason on this machine, so it says nothing about the
 * checked system. */
void probe_end_void(struct probe *probe, const char *cause);
/* Ends the check because the name was not resolved: as void if this machine lacks descriptors or
 * memory (resolver_lacks_means), otherwise as failed. */
void probe_end_unresolved(struct probe *probe, const struct resolver_answer *answer);
/* Microseconds since the start of the check. */
int64_t probe_elapsed_us(const struct probe *probe);
/* Handles the resolver's answer: sets result->resolved_us, and copies the addresses that the check
 * may connect to. Returns their number. If it is 0, the check has ended. */
size_t probe_judge(struct probe *probe, const struct resolver_answer *answer,
		   struct sockaddr_storage allowed[RESOLVER_ADDRESSES_MAX]) MUST_USE;

#endif
