/* Which addresses checks may connect to. */
#ifndef PROBE_ADDRESS_H
#define PROBE_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/*
 * Whether the address is public: not loopback, link-local, private, shared (RFC 6598), multicast,
 * unspecified, reserved, of documentation or of a cloud's metadata service, also not when an IPv6
 * address contains such an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
bool address_is_public(const struct sockaddr *address);
/* "192.0.2.1" or "2001:db8::1", without the port. */
const char *address_text(const struct sockaddr *address, char text[64]);

#endif
