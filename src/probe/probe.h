/*
 * A probe is one check of one system over the network. An event loop runs it. A prober has the data
 * that all probes of a thread share: the resolver, libcurl's handle, and the trusted certificates.
 *
 * A probe resolves the name first. Each address, also that of a redirect, must be public
 * (probe/address.h), unless the installation allows private addresses. The probe connects to the
 * very address that it has checked.
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
	bool allows_private; /* the setting check_allow_private */
	const char *
		resolver; /* "address[:port]", separated by commas; NULL: the machine's resolvers */
	const char *ca_file;  /* PEM; NULL: the certificates that this machine trusts */
	const char *base_url; /* the URL of the installation, for the header User-Agent; NULL:
				 unknown */
};
/* The texts belong to `config`. */
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
 * blocked in this thread. The caller must keep the texts of the settings until prober_close(). */
enum result prober_open(struct prober **prober, struct loop *loop,
			const struct prober_settings *settings, struct error *error) MUST_USE;
/* Closes the prober, which must have no running probe. Accepts NULL. */
void prober_close(struct prober *prober);

enum { PROBE_NOT_REACHED = -1 };

struct probe_result {
	bool is_up;
	/* The check could not be made for a reason on this machine (no descriptors, no memory), so
	 * the result says nothing about the system. */
	bool is_void;
	/* "" if up; otherwise the reason, such as "HTTP status 503" or "connection refused". All
	 * texts of a result are printable. */
	char cause[CHECK_CAUSE_MAX_BYTES + 1];
	int64_t response_ms;
	/*
	 * Microseconds from the start of the check to the end of each step. PROBE_NOT_REACHED: the
	 * step has not ended.
	 */
	int64_t resolved_us;
	int64_t connected_us;
	int64_t secured_us; /* the TLS handshake */
	int64_t first_byte_us;
	int64_t done_us;
	char address[64];	       /* the address to which the probe connected; "": none */
	int status;		       /* the HTTP status; 0: none */
	struct instant tls_expires_at; /* when the certificate expires; 0: not known */
	char tls_issuer[256];
	/* A verification has found that a certificate of the chain has expired. */
	bool tls_is_over;
	int64_t retry_after_s; /* from the HTTP header Retry-After, in seconds; 0: none */
	char note[256];	       /* such as "no right to send ICMP: TCP connection to port 443" */
};

/* A running check. The caller sets the members before `prober`; the prober sets the others. */
struct probe {
	const struct check_settings *settings; /* must not change until `call` is called */
	void (*call)(void *context,
		     const struct probe_result
			     *result); /* called once, after probe_start() has returned */
	void *context;
	/* For HTTP: gets the body of the last response. If this body is incomplete or has more than
	 * 1 MiB, the check fails. NULL: the caller needs no body. */
	struct buf *body;

	struct prober *prober;
	const struct probe_type *type;
	struct loop_timer timer; /* ends the check after the time-out */
	int64_t started_us;
	const char *awaits; /* the text for a time-out, such as "no TLS handshake"; NULL:
			       missing_step() returns the text */
	struct probe_result result;
	void *own; /* data of the check's type */
};

/* Starts the check. `call` gets its result after at most settings->timeout seconds. */
void probe_start(struct prober *prober, struct probe *probe);
/* Ends the check without calling `call`. */
void probe_cancel(struct probe *probe);

#endif
