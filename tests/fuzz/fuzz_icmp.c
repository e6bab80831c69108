/* Replies to pings, and the requests that errors quote. The first byte: bit 0 is IPv6, bit 1 an IP
 * header. */
#include "fuzz/fuzz.h"

#include <sys/socket.h>

#include "probe/icmp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct icmp_echo echo = { 0 }, again = { 0 };
	uint8_t packet[ICMP_ECHO_BYTES];
	if (size == 0)
		return 0;
	int family = data[0] & 1 ? AF_INET6 : AF_INET;
	if (icmp_read_reply(family, data[0] & 2, data + 1, size - 1, &echo)) {
		MUST_HOLD(echo.has_token && size > ICMP_ECHO_BYTES);
		icmp_write_request(family, &echo, packet);
		MUST_HOLD(icmp_read_quoted(family, packet, sizeof(packet), &again));
		MUST_HOLD(again.sequence == echo.sequence);
		MUST_HOLD(memcmp(again.token, echo.token, ICMP_TOKEN_BYTES) == 0);
	}
	if (icmp_read_quoted(family, data + 1, size - 1, &echo))
		MUST_HOLD(size > 8 && echo.has_token == (size > ICMP_ECHO_BYTES));
	return 0;
}
