/* The network addresses that checks connect to, and whether an address is public. */
#ifndef PROBE_ADDRESS_H
#define PROBE_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/*
 * Whether the address is public: not loopback, link-local, private, shared (RFC 6598), multicast,
 * unspecified, reserved, for documentation, or for the metadata service of a cloud. An IPv6 address
 * that contains a non-public IPv4 address (mapped, NAT64, 6to4, Teredo) is not public.
 */
bool address_is_public(const struct sockaddr *address);

enum { ADDRESS_TEXT_SIZE = 64 };

/* Writes "192.0.2.1" or "2001:db8::1", without the port. Returns `text`. */
const char *address_text(const struct sockaddr *address, char text[ADDRESS_TEXT_SIZE]);
/* Compares the addresses without their ports. */
bool address_is_same(const struct sockaddr *a, const struct sockaddr *b);
/* Reads an address, and sets its port to 0. Returns false if the text is not an address. */
bool address_parse(const char *text, struct sockaddr_storage *address);
void address_set_port(struct sockaddr_storage *address, int port);
/* Returns the length of the address, which connect() needs. */
socklen_t address_len(const struct sockaddr_storage *address);

#endif
