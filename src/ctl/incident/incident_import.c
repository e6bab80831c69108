/*
 * daymarkctl incident import
 *
 * Stores the rows in batches, each in one transaction. The transaction also stores the progress
 * under the hash of the file's content. A repeated command continues from the stored progress, and
 * does nothing for a file that is complete.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "ctl/ctl.h"
#include "ctl/incident/import.h"
#include "ctl/owner.h"
#include "service/incident/incident_import.h"
#include "wire/json.h"

enum { BATCH_ROWS = 1000, BATCH_BYTES = 4 << 20 };

struct batches {
	struct ctl *ctl;
	int64_t account_id;
	struct service service;
	struct incident_import_file file;
	int64_t last_line;     /* the last line of the batch */
	struct incident *rows; /* room for BATCH_ROWS */
	struct arena arena;    /* owns the texts of the rows */
	size_t count;
	size_t bytes;
	int64_t imported;
	bool is_shown;
};

static void show_progress(const struct batches *batches)
{
	if (batches->is_shown)
		fprintf(stderr, "\r%lld incidents, up to line %lld", (long long)batches->imported,
			(long long)batches->last_line);
}

static enum result store_batch(struct batches *batches)
{
	if (batches->count == 0)
		return OK;
	struct incident_batch batch = {
		.account_id = batches->account_id,
		.rows = batches->rows,
		.count = batches->count,
		.file = batches->file,
	};
	batch.file.lines_done = batches->last_line;
	/* Update the time for each batch, since an import may take an hour. Readers that ask for
	 * new events would miss an event with an older time. */
	batches->service.now = clock_now();
	struct arena *arena = batches->service.arena;
	batches->service.arena = &batches->arena;
	enum result result = service_import_incidents(&batches->service, &batch);
	batches->service.arena = arena;
	if (result != OK)
		return result;
	batches->file = batch.file;
	batches->imported += (int64_t)batches->count;
	arena_reset(&batches->arena);
	batches->count = batches->bytes = 0;
	show_progress(batches);
	return OK;
}

static const char *kept_text(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static enum result add_to_batch(void *context, const struct import_row *row, struct error *error)
{
	struct batches *batches = context;
	const struct incident *incident = &row->incident;
	(void)error;
	if (row->line <= batches->file.lines_done)
		return OK;
	struct incident *kept = &batches->rows[batches->count];
	*kept = *incident;
	kept->cause = kept_text(&batches->arena, incident->cause);
	kept->title = kept_text(&batches->arena, incident->title);
	kept->comment = kept_text(&batches->arena, incident->comment);
	batches->count++;
	batches->bytes += strlen(incident->cause) + str_from(incident->title).len +
			  str_from(incident->comment).len;
	batches->last_line = row->line;
	return batches->count == BATCH_ROWS || batches->bytes >= BATCH_BYTES ? store_batch(batches)
									     : OK;
}

static int report_outcome(struct batches *batches, enum result result)
{
	struct ctl *ctl = batches->ctl;
	if (batches->is_shown && batches->imported > 0)
		fputc('\n', stderr);
	if (result == E_CONFLICT)
		error_client(&ctl->error, E_CONFLICT, "a monitor would have two open incidents");
	int64_t done = batches->file.lines_done;
	/* A corrected file has another hash, and so no stored progress. The message therefore names
	 * the line for --from-line. */
	if (result == E_INVALID || result == E_CONFLICT)
		return ctl_fail(ctl, E_INVALID,
				"import stopped after line %lld: correct the file below that line, "
				"and run the command again with --from-line %lld",
				(long long)done, (long long)done + 1);
	if (result != OK)
		return ctl_fail(ctl, result,
				"import stopped after line %lld: run the same command again to "
				"continue",
				(long long)done);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "imported", batches->imported);
	json_put_int(tree, "lines", batches->file.lines_done);
	ctl_say(ctl, tree, "%s imported.", ctl_count(&ctl->arena, batches->imported, "incident"));
	return CTL_OK;
}

static int import_file(struct ctl *ctl, FILE *file, int64_t account_id)
{
	struct batches batches = {
		.ctl = ctl,
		.account_id = account_id,
		.service = ctl_service(ctl),
		.rows = ARENA_ARRAY(&ctl->arena, BATCH_ROWS, struct incident),
		.is_shown = isatty(STDERR_FILENO) && !ctl->is_json,
	};
	batches.service.principal.label = "daymarkctl incident import";
	const char *from = ctl_option(ctl, "from-line");
	int64_t from_line = 0;
	if (from && !ctl_id(from, &from_line))
		return ctl_usage(ctl, "--from-line must be a line number");
	arena_init(&batches.arena, (size_t)4 * BATCH_BYTES);
	enum result result = incident_import_file_hash(file, &batches.file, &ctl->error);
	if (result != OK) {
		arena_done(&batches.arena);
		return ctl_fail(ctl, result, "%s cannot be imported", ctl->arguments[0]);
	}
	result = incident_import_find(ctl->db, account_id, &batches.file, &ctl->error);
	if (from_line > 0)
		batches.file.lines_done = from_line - 1;
	if (result == OK)
		result = import_read(file, add_to_batch, &batches, &ctl->error);
	if (result == OK)
		result = store_batch(&batches);
	arena_done(&batches.arena);
	/* Publish the imported incidents, even if a later line is invalid. */
	service_publish_imported(&batches.service);
	int published = ctl_published(ctl, &batches.service);
	int status = report_outcome(&batches, result);
	return status != CTL_OK ? status : published;
}

static int import_run(struct ctl *ctl)
{
	int64_t account_id;
	int status = ctl_account(ctl, &account_id);
	if (status != CTL_OK)
		return status;
	ctl_as_caller(ctl);
	FILE *file = fopen(ctl->arguments[0], "re");
	ctl_as_owner(ctl);
	if (!file)
		return ctl_usage(ctl, "%s: %s", ctl->arguments[0], strerror(errno));
	status = import_file(ctl, file, account_id);
	fclose(file);
	return status;
}

const struct ctl_command incident_import_command = {
	.words = "incident import",
	.arguments = "FILE",
	.summary = "Import incidents from JSON lines or CSV",
	.is_patient = true,
	.run = import_run,
	.options = {
		{ "account", "ACCOUNT", "the account, by id or name; "
				       "needed if there are several" },
		{ "from-line", "N", "begin at this line: for a corrected file" },
	},
};
