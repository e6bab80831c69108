/*
 * The messages of pings: ICMP echo (RFC 792) and ICMPv6 echo (RFC 4443 section 4). The data of a
 * request is a token that nobody can guess, so that a forged reply is not taken for the system's.
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
	bool has_token; /* the read packet has one: an error may quote no more than the header */
};

/* `family` is AF_INET or AF_INET6. The id is a part of the token, by which a NAT can tell pings of
 * one host apart; datagram sockets set another id. The checksum of IPv6 is left to the kernel. */
void icmp_write_request(int family, const struct icmp_echo *echo, uint8_t packet[ICMP_ECHO_BYTES]);
/* Reads a packet. False: it is not a whole echo reply. A raw socket of IPv4 receives an IP header,
 * too. */
bool icmp_read_reply(int family, bool has_ip_header, const uint8_t *packet, size_t len,
		     struct icmp_echo *echo);
/* Reads the request that an error quotes. False: it is another packet. */
bool icmp_read_quoted(int family, const uint8_t *packet, size_t len, struct icmp_echo *echo);

#endif
