/* How a type of check is made: for the files of this folder. */
#ifndef PROBE_PROBE_TYPE_H
#define PROBE_PROBE_TYPE_H

#include "probe/probe.h"
#include "probe/resolver.h"

struct probe_type {
	/* Begins the check; may end it at once by probe_end(). Allocates probe->own if needed. */
	void (*start)(struct probe *probe);
	/* Frees everything of the check, after its end, its time-out or probe_cancel(). */
	void (*stop)(struct probe *probe);
};
extern const struct probe_type probe_http, probe_tcp, probe_ping, probe_dns, probe_tls;

/* What probes of a prober share. */
struct prober {
	struct loop *loop;
	struct prober_settings settings;
	struct resolver *resolver;
	struct probe_http_shared *http; /* probe_http.c; opened at the first use */
	struct probe_ping_shared *ping; /* probe_ping.c */
	struct probe_tls_shared *tls;	/* probe_tls.c */
};
void probe_http_close(struct prober *prober);
void probe_ping_close(struct prober *prober);
void probe_tls_close(struct prober *prober);

/*
 * Ends the check: result->is_up, cause (printf; NULL for success). The call of the probe follows in
 * the loop's next turn; stop() is called before it.
 */
void probe_end(struct probe *probe, bool is_up, const char *cause, ...)
	__attribute__((format(printf, 3, 4)));
/* The check says nothing, for a reason of this machine. */
void probe_end_void(struct probe *probe, const char *cause);
/* Microseconds since the start of the check. */
int64_t probe_elapsed_us(const struct probe *probe);

#endif
