/* Checks a TLS service: the handshake and, with verify_tls, the chain and name of the certificate.
 * The handshake accepts invalid certificates, so that the check can report when they expire. */
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "probe/address.h"
#include "probe/connect.h"
#include "probe/fault.h"

enum { TLS_PORT = 443 };

struct tls_check {
	struct connecting connect;
	SSL *ssl;
	struct check_target target;
};

static SSL_CTX *open_context(const char *ca_file)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	if (!context)
		return NULL;
	SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
	if (ca_file ? SSL_CTX_load_verify_file(context, ca_file) == 1
		    : SSL_CTX_set_default_verify_paths(context) == 1)
		return context;
	SSL_CTX_free(context);
	return NULL;
}

static SSL_CTX *shared_context(struct prober *prober)
{
	if (prober->tls && prober->tls_until_ms > clock_ms())
		return prober->tls;
	/* Running checks still refer to the old context and its certificates, so OpenSSL frees it
	 * later. */
	probe_tls_close(prober);
	prober->tls = open_context(prober->settings.ca_file);
	prober->tls_until_ms = clock_ms() + PROBE_TRUST_KEEP_S * 1000;
	return prober->tls;
}

void probe_tls_close(struct prober *prober)
{
	SSL_CTX_free(prober->tls);
	prober->tls = NULL;
}

static void note_certificate(const X509 *certificate, struct probe_result *result)
{
	struct tm end = { 0 };
	BIO *memory = BIO_new(BIO_s_mem());
	if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1)
		result->tls_expires_at.s = timegm(&end);
	if (memory && X509_NAME_print_ex(memory, X509_get_issuer_name(certificate), 0,
					 XN_FLAG_ONELINE) >= 0) {
		int len = BIO_read(memory, result->tls_issuer, sizeof(result->tls_issuer) - 1);
		result->tls_issuer[len > 0 ? len : 0] = '\0';
	}
	BIO_free(memory);
}

static void judge(struct probe *probe)
{
	struct tls_check *check = probe->own;
	X509 *certificate = SSL_get1_peer_certificate(check->ssl);
	long found = SSL_get_verify_result(check->ssl);
	probe->result.secured_us = probe_elapsed_us(probe);
	if (certificate)
		note_certificate(certificate, &probe->result);
	X509_free(certificate);
	SSL_shutdown(check->ssl);
	if (probe->settings->verify_tls && found != X509_V_OK)
		probe_end(probe, false, "%s", fault_of_certificate(found));
	else
		probe_end(probe, true, NULL);
}

static void fail_handshake(struct probe *probe, int kind)
{
	const char *reason = ERR_reason_error_string(ERR_peek_error());
	if (kind == SSL_ERROR_SYSCALL && errno != 0)
		connect_fail(probe, errno);
	else if (!reason || ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
		probe_end(probe, false, "the connection was closed in the TLS handshake");
	else
		probe_end(probe, false, "the TLS handshake failed: %s", reason);
}

static void proceed(void *context)
{
	struct probe *probe = context;
	struct tls_check *check = probe->own;
	ERR_clear_error();
	errno = 0;
	int outcome = SSL_connect(check->ssl), kind = SSL_get_error(check->ssl, outcome);
	bool is_waiting = kind == SSL_ERROR_WANT_READ || kind == SSL_ERROR_WANT_WRITE;
	if (outcome == 1)
		judge(probe);
	else if (!is_waiting)
		fail_handshake(probe, kind);
	else if (!loop_watch_for(probe->prober->loop, &check->connect.watch,
				 kind == SSL_ERROR_WANT_READ ? EPOLLIN : EPOLLOUT))
		connect_fail(probe, errno);
	/* If the handshake has ended, stop watching at once: the loop calls stop() only in its next
	 * turn. */
	if (!is_waiting)
		loop_unwatch(probe->prober->loop, &check->connect.watch);
}

/* Sets the name that the client sends to the server, and that the certificate must have. */
static bool set_name(SSL *ssl, const char *host)
{
	struct sockaddr_storage address;
	if (address_parse(host, &address))
		return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
	SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	/* SSL_set_tlsext_host_name() is a macro that drops `const`. */
	return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
			(void *)(uintptr_t)host) == 1 &&
	       SSL_set1_host(ssl, host) == 1;
}

static void begin(struct probe *probe, int error)
{
	struct tls_check *check = probe->own;
	int fd = check->connect.watch.fd;
	if (error != 0) {
		connect_fail(probe, error);
		return;
	}
	probe->awaits = "no TLS handshake";
	SSL_CTX *context = shared_context(probe->prober);
	check->ssl = context ? SSL_new(context) : NULL;
	if (!check->ssl || SSL_set_fd(check->ssl, fd) != 1)
		probe_end_void(probe, "the trusted certificates cannot be read");
	else if (!set_name(check->ssl, check->target.host))
		probe_end(probe, false, "the name is not valid");
	else if (!loop_watch(probe->prober->loop, &check->connect.watch, fd))
		connect_fail(probe, errno);
	else
		proceed(probe);
}

static void tls_start(struct probe *probe)
{
	struct tls_check *check = probe->own = memory_needed(calloc(1, sizeof(*check)));
	check->connect.watch = (struct loop_watch){ .call = proceed, .context = probe };
	check->connect.call = begin;
	if (!check_target_read(probe->settings->url, &check->target))
		probe_end(probe, false, "the address of the system is not valid");
	else
		connect_to_host(&check->connect, probe, check->target.host,
				check->target.port > 0 ? (int)check->target.port : TLS_PORT);
}

static void tls_stop(struct probe *probe)
{
	struct tls_check *check = probe->own;
	SSL_free(check->ssl);
	connect_stop(&check->connect);
	free(check);
}

const struct probe_type probe_tls = { tls_start, tls_stop, true };
