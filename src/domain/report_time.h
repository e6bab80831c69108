/*
 * How far the times of reports and of what is stored are believed.
 *
 * `now` is the database's clock, which all machines share. It may still be set back or
 * forth, and rows may have been written by another clock: so a stored time beyond `now`
 * is not believed, and none is stored.
 */
#ifndef DOMAIN_REPORT_TIME_H
#define DOMAIN_REPORT_TIME_H

#include <stdbool.h>

#include "domain/incident.h"

/* How far a sender's clock may be ahead of ours. */
enum { REPORT_SKEW_S = 300 };

/* A time that a sender gave: `now` instead of one that is still to come. */
struct instant report_time(struct instant given, struct instant now);

/* A stored time; none (0) instead of one that is still to come. */
struct instant report_believed(struct instant stored, struct instant now);

/*
 * Whether `at` lies within the incident, which is the last that had started by then: a
 * report that it was down at that time says nothing new. An end that is not believed
 * hides no later outage.
 */
bool report_is_within(const struct incident *incident, struct instant at, struct instant now);

/*
 * Whether "it is up since `at`" ends the open incident: not when it is older than the
 * incident. One that starts beyond `now` is taken to have started some minutes ago.
 */
bool report_ends(const struct incident *open, struct instant at, struct instant now);

/*
 * Ends the incident: not before its start, and not beyond `now`. A start beyond `now`
 * is moved to the end.
 */
enum incident_move report_end(struct incident *incident, struct instant at, struct instant now);

#endif
