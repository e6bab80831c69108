/*
 * The messages of pings: ICMP echo (RFC 792) and ICMPv6 echo (RFC 4443 section 4). The data of a
 * request is a random token that nobody can guess, so that nobody can forge a reply.
 */
#ifndef PROBE_ICMP_H
#define PROBE_ICMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ICMP_TOKEN_BYTES = 8, ICMP_ECHO_BYTES = 16, ICMP_PACKET_MAX_BYTES = 256 };

struct icmp_echo {
	uint16_t sequence;
	uint8_t token[ICMP_TOKEN_BYTES];
	bool has_token; /* false: the message is an error that quotes only the header of the
			   request */
};

/*
 * Writes an echo request. `family` is AF_INET or AF_INET6. The id is a part of the token, so that a
 * NAT can distinguish several pings of a host. For a datagram socket the kernel replaces the id.
 * The kernel also sets the checksum of ICMPv6.
 */
void icmp_write_request(int family, const struct icmp_echo *echo, uint8_t packet[ICMP_ECHO_BYTES]);
/* Reads a received packet. has_ip_header: the packet begins with the IP header, as on a raw IPv4
 * socket. Returns false if the packet is not a complete echo reply. */
bool icmp_read_reply(int family, bool has_ip_header, const uint8_t *packet, size_t len,
		     struct icmp_echo *echo);
/* Reads the request that an ICMP error quotes. Returns false if the quoted packet is no echo
 * request. */
bool icmp_read_quoted(int family, const uint8_t *packet, size_t len, struct icmp_echo *echo);

#endif
