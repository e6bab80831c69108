/* Names the faults of connections and certificates, for the causes of failed checks. */
#ifndef PROBE_FAULT_H
#define PROBE_FAULT_H

#include <stdbool.h>

/* Returns a text such as "connection refused"; `error` is an errno of a socket. */
const char *fault_of_socket(int error);
/*
 * Whether this machine lacks descriptors, memory or ports. The error says nothing about the checked
 * system then.
 */
bool fault_is_own(int error);
/* Returns a text such as "the certificate has expired"; `found` is X509_V_ERR_* of OpenSSL. */
const char *fault_of_certificate(long found);
bool fault_is_expiry(long found);

#endif
