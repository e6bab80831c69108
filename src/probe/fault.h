/* Names the faults of connections and certificates, for the causes of failed checks. */
#ifndef PROBE_FAULT_H
#define PROBE_FAULT_H

#include <stdbool.h>

/* Returns a text such as "connection refused"; `error` is an errno of a socket. */
const char *fault_of_socket(int error);
/* Whether the error is a lack of descriptors, memory or ports on this machine. Such an error says
 * nothing about the checked system. */
bool fault_is_own(int error);
/* Returns a text such as "the certificate has expired"; `found` is X509_V_ERR_* of OpenSSL. */
const char *fault_of_certificate(long found);
bool fault_is_expiry(long found);

#endif
