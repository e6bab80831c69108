#include "probe/icmp.h"

#include <string.h>
#include <sys/socket.h>

/* The offsets of the fields. The type and the code are the first two bytes. The token is the
 * data. */
enum { CHECKSUM_AT = 2, ID_AT = 4, SEQUENCE_AT = 6, TOKEN_AT = 8 };
enum { REQUEST4 = 8, REPLY4 = 0, REQUEST6 = 128, REPLY6 = 129 };
enum { IP_HEADER_MIN_BYTES = 20, IP_PROTOCOL_AT = 9, PROTOCOL_ICMP = 1 };

static void put16(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint16_t get16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

/* RFC 1071. */
static unsigned checksum(const uint8_t *bytes, size_t len)
{
	unsigned sum = 0;
	for (size_t i = 0; i < len; i += 2)
		sum += get16(bytes + i);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16)) & 0xffff;
}

void icmp_write_request(int family, const struct icmp_echo *echo, uint8_t packet[ICMP_ECHO_BYTES])
{
	memset(packet, 0, ICMP_ECHO_BYTES);
	packet[0] = family == AF_INET ? REQUEST4 : REQUEST6;
	memcpy(packet + ID_AT, echo->token, SEQUENCE_AT - ID_AT);
	put16(packet + SEQUENCE_AT, echo->sequence);
	memcpy(packet + TOKEN_AT, echo->token, ICMP_TOKEN_BYTES);
	if (family == AF_INET)
		put16(packet + CHECKSUM_AT, checksum(packet, ICMP_ECHO_BYTES));
}

static bool read_echo(int type, const uint8_t *packet, size_t len, struct icmp_echo *echo)
{
	if (len < TOKEN_AT || packet[0] != type || packet[1] != 0)
		return false;
	echo->sequence = get16(packet + SEQUENCE_AT);
	echo->has_token = len >= ICMP_ECHO_BYTES;
	if (echo->has_token)
		memcpy(echo->token, packet + TOKEN_AT, ICMP_TOKEN_BYTES);
	return true;
}

bool icmp_read_reply(int family, bool has_ip_header, const uint8_t *packet, size_t len,
		     struct icmp_echo *echo)
{
	size_t skipped = 0;
	if (has_ip_header) {
		if (len < IP_HEADER_MIN_BYTES || packet[0] >> 4 != 4 ||
		    packet[IP_PROTOCOL_AT] != PROTOCOL_ICMP)
			return false;
		skipped = (size_t)(packet[0] & 15) * 4;
		if (skipped < IP_HEADER_MIN_BYTES || skipped > len)
			return false;
	}
	return read_echo(family == AF_INET ? REPLY4 : REPLY6, packet + skipped, len - skipped,
			 echo) &&
	       echo->has_token && len - skipped == ICMP_ECHO_BYTES;
}

bool icmp_read_quoted(int family, const uint8_t *packet, size_t len, struct icmp_echo *echo)
{
	return read_echo(family == AF_INET ? REQUEST4 : REQUEST6, packet, len, echo);
}
