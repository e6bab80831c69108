#include "probe/probe.h"

#include <assert.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "probe/address.h"
#include "probe/excerpt.h"
#include "probe/probe_type.h"

/* The size of each text in a result. */
enum { RESULT_TEXT_SIZE = CHECK_CAUSE_MAX_BYTES + 1 };

static const struct probe_type *const types[CHECK_TYPES] = {
	[CHECK_HTTP] = &probe_http, [CHECK_TCP] = &probe_tcp, [CHECK_PING] = &probe_ping,
	[CHECK_DNS] = &probe_dns,   [CHECK_TLS] = &probe_tls,
};

/* Blocks SIGPIPE: it would end the process when a TLS library writes to a connection that the other
 * side has closed. */
static void block_broken_pipe(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

enum result prober_open(struct prober **prober, struct loop *loop,
			const struct prober_settings *settings, struct error *error)
{
	struct prober *opened = calloc(1, sizeof(*opened));
	*prober = NULL;
	if (!opened)
		return error_log(error, E_FAILED, "no memory for checks");
	opened->loop = loop;
	opened->settings = *settings;
	enum result result = resolver_open(&opened->resolver, loop, settings->resolver, error);
	if (result == OK)
		result = probe_http_open(opened, error);
	if (result != OK) {
		prober_close(opened);
		return result;
	}
	block_broken_pipe();
	*prober = opened;
	return OK;
}

void prober_close(struct prober *prober)
{
	if (!prober)
		return;
	probe_http_close(prober);
	probe_tls_close(prober);
	resolver_close(prober->resolver);
	free(prober);
}

int64_t probe_elapsed_us(const struct probe *probe)
{
	return clock_us() - probe->started_us;
}

/* Makes a text printable: it may have bytes that the other side has sent, such as the issuer's
 * name. */
static void make_printable(char text[RESULT_TEXT_SIZE])
{
	char from[RESULT_TEXT_SIZE];
	memcpy(from, text, sizeof(from));
	excerpt_print(text, RESULT_TEXT_SIZE, str_from(from), RESULT_TEXT_SIZE);
}

static void tell(struct probe *probe)
{
	struct probe_result *result = &probe->result;
	make_printable(result->cause);
	make_printable(result->tls_issuer);
	make_printable(result->note);
	probe->call(probe->context, result);
}

static void deliver(void *context)
{
	struct probe *probe = context;
	probe->type->stop(probe);
	tell(probe);
}

static void set_end(struct probe *probe)
{
	struct probe_result *result = &probe->result;
	result->done_us = probe_elapsed_us(probe);
	result->response_ms = (result->done_us + 500) / 1000;
	probe->timer.call = deliver;
}

/* Makes the loop end the check in its next turn. Returns false if the check already has a
 * result. */
static bool begin_end(struct probe *probe)
{
	if (probe->timer.call == deliver)
		return false;
	set_end(probe);
	loop_timer_set(probe->prober->loop, &probe->timer, 0);
	return true;
}

void probe_end(struct probe *probe, bool is_up, const char *cause, ...)
{
	va_list args;
	if (!begin_end(probe))
		return;
	probe->result.is_up = is_up;
	va_start(args, cause);
	if (cause)
		vsnprintf(probe->result.cause, sizeof(probe->result.cause), cause, args);
	va_end(args);
}

void probe_end_void(struct probe *probe, const char *cause)
{
	if (!begin_end(probe))
		return;
	probe->result.is_void = true;
	snprintf(probe->result.cause, sizeof(probe->result.cause), "%s", cause);
}

/* Returns the step that the check has not reached, such as "no connection". */
static const char *missing_step(const struct probe *probe)
{
	const struct probe_result *result = &probe->result;
	if (probe->awaits)
		return probe->awaits;
	if (result->first_byte_us != PROBE_NOT_REACHED)
		return "no complete response";
	if (result->resolved_us == PROBE_NOT_REACHED)
		return "no address of the name";
	if (probe->type->connects && result->connected_us == PROBE_NOT_REACHED)
		return "no connection";
	return "no response";
}

static void time_out(void *context)
{
	struct probe *probe = context;
	set_end(probe);
	probe->type->stop(probe);
	snprintf(probe->result.cause, sizeof(probe->result.cause), "%s within %d s",
		 missing_step(probe), (int)probe->settings->timeout);
	tell(probe);
}

void probe_start(struct prober *prober, struct probe *probe)
{
	const struct check_settings *settings = probe->settings;
	assert(settings->type >= 0 && settings->type < CHECK_TYPES && types[settings->type]);
	probe->prober = prober;
	probe->type = types[settings->type];
	probe->timer = (struct loop_timer){ .call = time_out, .context = probe };
	probe->started_us = clock_us();
	probe->awaits = NULL;
	probe->own = NULL;
	probe->result = (struct probe_result){
		.resolved_us = PROBE_NOT_REACHED,
		.connected_us = PROBE_NOT_REACHED,
		.secured_us = PROBE_NOT_REACHED,
		.first_byte_us = PROBE_NOT_REACHED,
		.done_us = PROBE_NOT_REACHED,
	};
	loop_timer_set(prober->loop, &probe->timer, clock_ms() + settings->timeout * 1000);
	probe->type->start(probe);
}

void probe_cancel(struct probe *probe)
{
	loop_timer_cancel(probe->prober->loop, &probe->timer);
	probe->type->stop(probe);
}

void probe_end_unresolved(struct probe *probe, const struct resolver_answer *answer)
{
	if (answer->why == resolver_lacks_means)
		probe_end_void(probe, answer->why);
	else
		probe_end(probe, false, "%s", answer->why);
}

size_t probe_judge(struct probe *probe, const struct resolver_answer *answer,
		   struct sockaddr_storage allowed[RESOLVER_ADDRESSES_MAX])
{
	size_t kept = 0;
	char text[ADDRESS_TEXT_SIZE];
	struct probe_result *result = &probe->result;
	if (answer->why != resolver_lacks_means)
		probe->result.resolved_us = probe_elapsed_us(probe);
	if (answer->count == 0) {
		probe_end_unresolved(probe, answer);
		return 0;
	}
	for (size_t i = 0; i < answer->count; i++)
		if (probe->prober->settings.allows_private ||
		    address_is_public((const struct sockaddr *)&answer->addresses[i]))
			allowed[kept++] = answer->addresses[i];
	if (kept > 0)
		return kept;
	/* Write the address to the note, not to the cause: pages may show the cause to visitors. */
	if (!*result->note)
		snprintf(result->note, sizeof(result->note), "the address is %s",
			 address_text((const struct sockaddr *)answer->addresses, text));
	probe_end(probe, false, "the address is not public");
	return 0;
}
