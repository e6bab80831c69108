/*
 * The recorder's part for the ends of certificates and domains. Every RECORDER_EXPIRY_S seconds it
 * stores the answers of registries, writes the due events, and chooses the next domains for which
 * registries are asked. Monitors with the same domain share one request.
 */
#include <stdlib.h>
#include <string.h>

#include "check/recorder_parts.h"
#include "domain/monitor/check_expiry.h"

/* A monitor's row, with the domain that its URL has now. */
struct named {
	char name[RDAP_DOMAIN_SIZE];
	struct check_domain row;
};

/* Returns whether the stored times belong to the domain that the URL has now. */
static bool is_current(const struct named *named)
{
	return named->row.name && strcmp(named->row.name, named->name) == 0;
}

/* Sorts by domain. Within a domain, the monitor with the newest asked_at comes first. */
static int by_name(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int64_t asked_a = is_current(a) ? a->row.asked_at.s : 0;
	int64_t asked_b = is_current(b) ? b->row.asked_at.s : 0;
	int order = strcmp(a->name, b->name);
	order = order ? order : id_order(&asked_b, &asked_a);
	return order ? order : id_order(&a->row.monitor_id, &b->row.monitor_id);
}

static enum result read_domains(struct part *part, struct named **rows, size_t *count)
{
	struct check_domain_list page = { .count = CHECK_DOMAINS_MAX };
	enum result result = OK;
	int64_t after_id = 0;
	size_t room = 0;
	while (result == OK && page.count == CHECK_DOMAINS_MAX) {
		result = check_domains_read(part->db, after_id, &part->arena, &page, &part->error);
		for (size_t i = 0; result == OK && i < page.count; i++) {
			*rows = arena_grow(&part->arena, *rows, *count, &room, sizeof(**rows));
			(*rows)[*count] = (struct named){ .row = page.rows[i] };
			*count += rdap_domain_of_url(page.rows[i].type, page.rows[i].url,
						     (*rows)[*count].name);
			after_id = page.rows[i].monitor_id;
		}
	}
	return result;
}

/* Copies the stored times of a domain to its monitors that do not have these times yet. */
static void add_late(struct expiries *expiries, const struct named *rows, size_t count,
		     const struct check_domain *known)
{
	for (size_t i = 0; i < count; i++) {
		if (is_current(&rows[i]) && rows[i].row.asked_at.s == known->asked_at.s)
			continue;
		expiries->late = arena_grow(&expiries->part.arena, expiries->late,
					    expiries->late_count, &expiries->late_room,
					    sizeof(*expiries->late));
		expiries->late[expiries->late_count] = *known;
		expiries->late[expiries->late_count++].monitor_id = rows[i].row.monitor_id;
	}
}

static void add_asked(struct expiries *expiries, const struct named *rows, size_t count,
		      const struct check_domain *known)
{
	struct asked_domain *asked = &expiries->asked[expiries->count++];
	*asked = (struct asked_domain){ .count = count };
	asked->rows = ARENA_ARRAY(&expiries->part.arena, count, struct check_domain);
	for (size_t i = 0; i < count; i++) {
		asked->rows[i] = *known;
		asked->rows[i].monitor_id = rows[i].row.monitor_id;
	}
	memcpy(expiries->last, rows[0].name, sizeof(expiries->last));
}

/* Plans requests for domains, in the order of their names. `last` is the domain that was chosen
 * last. is_after: plans only for domains after `last`; otherwise only for domains up to `last`. */
static void plan(struct expiries *expiries, const struct named *rows, size_t count,
		 const char *last, bool is_after)
{
	struct instant now = recorder_now(expiries->part.recorder);
	for (size_t from = 0, to; from < count; from = to) {
		struct check_domain known = { .name = rows[from].name };
		for (to = from + 1; to < count && strcmp(rows[to].name, rows[from].name) == 0;)
			to++;
		if ((strcmp(rows[from].name, last) > 0) != is_after)
			continue;
		if (is_current(&rows[from]))
			known = rows[from].row;
		if (!expiry_is_to_ask(known.expires_at, known.asked_at, now))
			add_late(expiries, rows + from, to - from, &known);
		else if (expiries->count < RECORDER_DOMAINS_MAX)
			add_asked(expiries, rows + from, to - from, &known);
	}
}

static enum result plan_all(struct expiries *expiries)
{
	struct part *part = &expiries->part;
	struct named *rows = NULL;
	char last[RDAP_DOMAIN_SIZE];
	size_t count = 0;
	arena_reset(&part->arena);
	expiries->count = expiries->late_count = expiries->late_room = 0;
	expiries->late = NULL;
	memcpy(last, expiries->last, sizeof(last));
	enum result result = read_domains(part, &rows, &count);
	if (result != OK || count == 0)
		return result;
	qsort(rows, count, sizeof(*rows), by_name);
	plan(expiries, rows, count, last, true);
	plan(expiries, rows, count, last, false);
	return check_domains_store(part->db, part->recorder->holder, expiries->late,
				   expiries->late_count, &part->error);
}

static enum result store_answers(struct expiries *expiries)
{
	struct part *part = &expiries->part;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < expiries->count; i++)
		if (!expiries->asked[i].is_skipped)
			result = check_domains_store(part->db, part->recorder->holder,
						     expiries->asked[i].rows,
						     expiries->asked[i].count, &part->error);
	return result;
}

static enum result tell_all(struct part *part)
{
	const struct principal checker = { .type = PRINCIPAL_CHECKER, .label = "" };
	const struct event_source source = {
		.principal = &checker,
		.now = recorder_now(part->recorder),
		.fills_outbox = part->recorder->config->has_outbox,
	};
	enum result result = OK;
	int64_t after_id = 0;
	for (bool is_more = true; result == OK && is_more;)
		result = check_expiries_tell(part->db, part->recorder->holder, &source, &after_id,
					     &is_more, &part->error);
	return result;
}

static void run(void *context)
{
	struct expiries *expiries = context;
	struct part *part = &expiries->part;
	bool plans = expiries->count == 0;
	part->error = (struct error){ 0 };
	part->result = store_answers(expiries);
	if (part->result == OK)
		expiries->count = 0;
	if (part->result == OK)
		part->result = tell_all(part);
	if (part->result == OK && plans)
		part->result = plan_all(expiries);
}

bool expiries_are_answered(const struct expiries *expiries)
{
	size_t answered = 0;
	if (expiries->part.job.is_running)
		return false;
	while (answered < expiries->count && expiries->asked[answered].is_answered)
		answered++;
	return answered > 0 && answered == expiries->count;
}

static void finish(void *context)
{
	struct expiries *expiries = context;
	struct part *part = &expiries->part;
	struct recorder *recorder = part->recorder;
	const char *names[RECORDER_DOMAINS_MAX];
	enum result result = part->result;
	bool is_repeated = result_is_of_database(result);
	bool asks = result == OK && recorder->is_held && !recorder->is_closing &&
		    recorder->observer.domains;
	if (result == E_CONFLICT)
		part->result = OK;
	part_finish(part, "certificates and domains");
	if (result == E_CONFLICT)
		recorder_lose(recorder);
	/* Keep the answers if the database caused the failure: the next run stores them. */
	if (!asks && !(is_repeated && expiries_are_answered(expiries)))
		expiries->count = 0;
	part_start_in(part, is_repeated ? 0 : RECORDER_EXPIRY_S * 1000);
	recorder_rest(recorder);
	if (!asks)
		return;
	for (size_t i = 0; i < expiries->count; i++)
		names[i] = expiries->asked[i].rows[0].name;
	recorder->observer.domains(recorder->observer.context, names, expiries->count);
}

static void start(void *context)
{
	struct expiries *expiries = context;
	struct recorder *recorder = expiries->part.recorder;
	/* For a checker elsewhere, the centre asks the registries. The empty list tells the
	 * observer not to wait for domains (--once). */
	if (recorder->remote && recorder->observer.domains)
		recorder->observer.domains(recorder->observer.context, NULL, 0);
	if (recorder->remote)
		return;
	if (recorder_may_store(recorder) &&
	    (expiries->count == 0 || expiries_are_answered(expiries)))
		loop_job_start(&expiries->part.job);
	else
		part_start_in(&expiries->part, 1000);
}

void recorder_domain(struct recorder *recorder, const char *domain, bool was_asked,
		     struct instant date)
{
	struct expiries *expiries = &recorder->expiries;
	struct instant now = recorder_now(recorder);
	for (size_t i = 0; i < expiries->count && !expiries->part.job.is_running; i++) {
		struct asked_domain *asked = &expiries->asked[i];
		if (asked->is_answered || strcmp(asked->rows[0].name, domain) != 0)
			continue;
		asked->is_answered = true;
		asked->is_skipped = !was_asked;
		for (size_t j = 0; j < asked->count; j++) {
			struct check_domain *row = &asked->rows[j];
			row->asked_at = now;
			if (date.s > 0)
				row->checked_at = now;
			if (date.s > 0 || now.s - row->checked_at.s > EXPIRY_DOMAIN_KEPT_S)
				row->expires_at = date;
		}
	}
	if (expiries_are_answered(expiries))
		part_start_in(&expiries->part, 0);
}

void expiries_forget(struct expiries *expiries)
{
	if (!expiries->part.job.is_running)
		expiries->count = 0;
}

bool expiries_open(struct recorder *recorder)
{
	return part_open(&recorder->expiries.part, run, finish, start, 1000);
}

bool expiries_close(struct expiries *expiries)
{
	return loop_job_close(&expiries->part.job);
}
