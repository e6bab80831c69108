#include "probe/fault.h"

#include <errno.h>
#include <openssl/x509_vfy.h>
#include <stddef.h>

#include "base/attr.h"

struct fault {
	long number;
	const char *text;
};

static const char *find(const struct fault *faults, size_t count, long number)
{
	size_t i = 0;
	while (i + 1 < count && faults[i].number != number)
		i++;
	return faults[i].text;
}

const char *fault_of_socket(int error)
{
	static const struct fault faults[] = {
		{ ECONNREFUSED, "connection refused" },
		{ ECONNRESET, "connection reset" },
		{ EPIPE, "connection reset" },
		{ EHOSTUNREACH, "no route to the host" },
		{ EHOSTDOWN, "no route to the host" },
		{ ENETUNREACH, "no route to the network" },
		{ EAFNOSUPPORT, "this machine has no IPv6" },
		{ EACCES, "the firewall of this machine refuses the connection" },
		{ EPERM, "the firewall of this machine refuses the connection" },
		{ 0, "no connection" },
	};
	return find(faults, ARRAY_LEN(faults), error);
}

bool fault_is_own(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS ||
	       error == ENOSPC || error == EADDRNOTAVAIL;
}

const char *fault_of_certificate(long found)
{
	static const struct fault faults[] = {
		{ X509_V_ERR_CERT_NOT_YET_VALID, "the certificate is not valid yet" },
		{ X509_V_ERR_CERT_HAS_EXPIRED, "the certificate has expired" },
		{ X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "the certificate is self-signed" },
		{ X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
		  "the certificate's authority is not trusted" },
		{ X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
		  "the certificate's authority is not known" },
		{ X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
		  "the certificate's authority is not known" },
		{ X509_V_ERR_CERT_REVOKED, "the certificate was revoked" },
		/* libcurl compares the name itself, and reports this code if the names differ. */
		{ X509_V_ERR_UNSPECIFIED, "the certificate is for another name" },
		{ X509_V_ERR_HOSTNAME_MISMATCH, "the certificate is for another name" },
		{ X509_V_ERR_IP_ADDRESS_MISMATCH, "the certificate is for another name" },
		{ X509_V_OK, "the certificate is not valid" },
	};
	return find(faults, ARRAY_LEN(faults), found);
}

bool fault_is_expiry(long found)
{
	return found == X509_V_ERR_CERT_HAS_EXPIRED;
}
