/* Jobs of the background loop that only write rows of the database, and change no page. */
#ifndef WORK_ROW_JOBS_H
#define WORK_ROW_JOBS_H

#include "work/jobs.h"

enum result row_job_idempotency(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_installation(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_signals(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_deleted(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_events(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_outbox(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_gaps(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_locations(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_checks(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_event_counts(struct work *work, struct work_turn *turn, struct error *error);
enum result row_job_monitor_removal(struct work *work, struct work_turn *turn, struct error *error);

#endif
