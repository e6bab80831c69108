#include <stdio.h>

#include "check/checked.h"

/* Asks for the next domain. Skips a domain whose registry has asked for a pause, and skips all
 * domains while this checker's outcomes do not count. */
static void ask_next(struct checker *checker)
{
	checker->is_asking = false;
	while (checker->domain_next < checker->domain_count && !checker->is_asking) {
		const char *domain = checker->domains[checker->domain_next++];
		checker->is_asking = checker_observes(checker) &&
				     registry_is_ready(&checker->registry, domain);
		if (checker->is_asking)
			registry_ask(&checker->registry, domain);
		else
			recorder_domain(checker->recorder, domain, false, (struct instant){ 0 });
	}
}

static void take_answer(void *context, struct instant date, const char *why)
{
	struct checker *checker = context;
	(void)why;
	recorder_domain(checker->recorder, checker->domains[checker->domain_next - 1], true, date);
	ask_next(checker);
}

void domains_take(void *context, const char *const *domains, size_t count)
{
	struct checker *checker = context;
	checker->has_domains = true;
	/* If the lease was lost and taken again, a request for an earlier domain may still run.
	 * Skip the new domains: the recorder passes them again later. */
	for (size_t i = 0; i < count && checker->is_asking; i++)
		recorder_domain(checker->recorder, domains[i], false, (struct instant){ 0 });
	if (checker->is_asking)
		return;
	for (size_t i = 0; i < count; i++)
		snprintf(checker->domains[i], sizeof(checker->domains[i]), "%s", domains[i]);
	checker->domain_count = count;
	checker->domain_next = 0;
	ask_next(checker);
}

void domains_open(struct checker *checker)
{
	checker->registry.call = take_answer;
	checker->registry.context = checker;
	registry_open(&checker->registry, checker->loop, checker->prober, checker->settings.config);
}
