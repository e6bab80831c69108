/*
 * Probes: one check of one system over the network, beside a loop. A prober has the data that the
 * probes of a thread share: the resolver, libcurl's handle, and the certificates that are trusted.
 *
 * Names are resolved first. An address, also that of a redirect, must be public (probe/address.h),
 * unless the installation allows private addresses; otherwise it is refused. The connection goes to
 * the address that was judged.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/loop.h"
#include "domain/monitor/check_state.h"

struct prober;

struct prober_settings {
	bool allows_private;  /* check_allow_private */
	const char *resolver; /* "address[:port]", separated by commas; NULL: the system's */
	const char *ca_file;  /* PEM; NULL: the system's certificates */
	const char *base_url; /* of the installation, for User-Agent; NULL: not known */
};
/* The texts are the config's. */
static inline struct prober_settings prober_settings_of(const struct config *config)
{
	return (struct prober_settings){
		.allows_private = config->check_allow_private,
		.resolver = config->resolver,
		.ca_file = config->check_ca_file,
		.base_url = config->base_url,
	};
}

/* Opens a prober. E_FAILED: a library is missing, or there are no descriptors. SIGPIPE stays
 * blocked for this thread. The texts of the settings stay as they are until prober_close(). */
enum result prober_open(struct prober **prober, struct loop *loop,
			const struct prober_settings *settings, struct error *error) MUST_USE;
/* No probe may run. Accepts NULL. */
void prober_close(struct prober *prober);

enum { PROBE_NOT_REACHED = -1 };

struct probe_result {
	bool is_up;
	/*
	 * The check could not be made for a reason on this machine (no descriptors, no memory): it
	 * says nothing about the system.
	 */
	bool is_void;
	/* "HTTP status 503", "connection refused", ... ; "" if up. This and the other texts are
	 * printable. */
	char cause[CHECK_CAUSE_MAX_BYTES + 1];
	int64_t response_ms;
	/* Microseconds from the start of the check to the end of each step; else PROBE_NOT_REACHED.
	 */
	int64_t resolved_us;
	int64_t connected_us;
	int64_t secured_us; /* the TLS handshake */
	int64_t first_byte_us;
	int64_t done_us;
	char address[64];	       /* to which the probe connected; "" for none */
	int status;		       /* of HTTP; 0: none */
	struct instant tls_expires_at; /* the certificate of the system; 0: none was seen */
	char tls_issuer[256];
	/* A verification has found that a certificate of the chain has expired. */
	bool tls_is_over;
	int64_t retry_after_s; /* the wait that an HTTP response asks for; 0: none */
	char note[256]; /* for people, such as "no right to send ICMP: TCP connect to port 443" */
};

/*
 * A running check: the caller sets the first four members; the other members belong to the prober.
 */
struct probe {
	const struct check_settings *settings; /* stay as they are until the call */
	void (*call)(void *context,
		     const struct probe_result *result); /* once, never within probe_start() */
	void *context;
	/* http: gets the body of the last response, which then must be complete and at most 1 MiB.
	 * NULL: the caller needs no body. */
	struct buf *body;

	struct prober *prober;
	const struct probe_type *type;
	struct loop_timer timer; /* of the time-out */
	int64_t started_us;
	const char *awaits; /* the cause after a time-out; NULL: by the steps that were reached */
	struct probe_result result;
	void *own; /* of the type */
};

/* Starts the check; `call` reports its end, at the latest after settings->timeout. */
void probe_start(struct prober *prober, struct probe *probe);
/* Ends the check without the call. */
void probe_cancel(struct probe *probe);

#endif
