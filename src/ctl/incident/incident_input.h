/* What the commands on incidents read from the command line, and how they end. */
#ifndef CTL_INCIDENT_INCIDENT_INPUT_H
#define CTL_INCIDENT_INCIDENT_INPUT_H

#include "ctl/ctl.h"
#include "domain/incident.h"

/*
 * Each reads an option, and returns CTL_OK or the exit status; without the option the value stays
 * as it is. *sent, which may be NULL, gets the place if the option was given.
 */
/* A time, "now", or an empty text for none. */
int incident_read_time(struct ctl *ctl, const char *option, struct instant *at, size_t place,
		       struct field_set *sent);
/* The same, or a duration from now such as 30m. */
int incident_read_promise(struct ctl *ctl, struct instant *at, size_t place,
			  struct field_set *sent);
/* One of the words; the value is its place. */
int incident_read_word(struct ctl *ctl, const char *option, const char *const *words, int *value,
		       size_t place, struct field_set *sent);
/* "7,8,9" */
int incident_read_ids(struct ctl *ctl, const char *option, struct id_list *ids, size_t place,
		      struct field_set *sent);

/* The incident as the API shows it, and with is_whole also its updates. */
struct json_object *incident_tree(struct ctl *ctl, const struct incident *incident, bool is_whole);
/* After an operation on the incident in the first argument: publishes, and prints the sentence or
 * with --json the incident. */
int incident_finish(struct ctl *ctl, const struct service *service, enum result result,
		    const struct incident *incident, const char *sentence);

#endif
