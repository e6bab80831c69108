/*
 * daymarkctl incident import
 *
 * Rows are stored in batches, each whole or not at all; how far a file has got
 * is stored with each, under its content's hash. The same command again goes
 * on from there, and does nothing for a file that is through.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "ctl/ctl.h"
#include "ctl/import.h"
#include "ctl/owner.h"
#include "service/incident_import.h"
#include "store/account.h"
#include "wire/json.h"

enum { BATCH_ROWS = 1000, BATCH_BYTES = 4 << 20 };

struct batches {
	struct ctl *ctl;
	int64_t account_id;
	struct service service;
	struct incident_import_file file;
	int64_t last_line; /* of the batch */
	struct json_object *rows;
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
	struct buf text CLEANUP(buf_done) = BUF_INIT((size_t)4 * BATCH_BYTES);
	if (batches->count == 0)
		return OK;
	json_print(&text, batches->rows);
	if (!buf_ok(&text))
		die("import: out of memory");
	struct incident_batch batch = {
		.account_id = batches->account_id,
		.json = text.data,
		.count = batches->count,
		.file = batches->file,
	};
	batch.file.lines_done = batches->last_line;
	enum result result = service_import_incidents(&batches->service, &batch);
	if (result != OK)
		return result;
	batches->file = batch.file;
	batches->imported += (int64_t)batches->count;
	json_free(batches->rows);
	batches->rows = json_array_tree();
	batches->count = batches->bytes = 0;
	show_progress(batches);
	return OK;
}

static void put_sql_time(struct json_object *tree, const char *key, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	json_put_text(tree, key, at.s ? instant_format_sql(at, text) : NULL);
}

static enum result take(void *context, const struct import_row *row, struct error *error)
{
	struct batches *batches = context;
	const struct incident *incident = &row->incident;
	(void)error;
	if (row->line <= batches->file.lines_done)
		return OK;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "monitor_id", incident->monitor_id);
	json_put_text(tree, "cause", incident->cause);
	json_put_text(tree, "title", incident->title);
	json_put_text(tree, "comment", incident->comment);
	put_sql_time(tree, "started_at", incident->started_at);
	put_sql_time(tree, "acknowledged_at", incident->acknowledged_at);
	put_sql_time(tree, "ended_at", incident->ended_at);
	json_append(batches->rows, tree);
	batches->count++;
	batches->bytes += strlen(incident->cause) + str_from(incident->title).len +
			  str_from(incident->comment).len;
	batches->last_line = row->line;
	return batches->count == BATCH_ROWS || batches->bytes >= BATCH_BYTES ? store_batch(batches)
									     : OK;
}

static int report(struct batches *batches, enum result result)
{
	struct ctl *ctl = batches->ctl;
	if (batches->is_shown && batches->imported > 0)
		fputc('\n', stderr);
	if (result == E_CONFLICT)
		error_client(&ctl->error, E_CONFLICT,
			     "a monitor has an open incident already, or two in the batch");
	if (result != OK)
		return ctl_fail(
			ctl, result == E_CONFLICT ? E_INVALID : result,
			"stopped; everything up to line %lld is imported, nothing behind it; "
			"mend the file below that line and run it again",
			(long long)batches->file.lines_done);
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "imported", batches->imported);
	json_put_int(tree, "lines", batches->file.lines_done);
	ctl_say(ctl, tree, "%lld incidents imported.", (long long)batches->imported);
	return CTL_OK;
}

static int import_file(struct ctl *ctl, FILE *file, int64_t account_id)
{
	struct batches batches = {
		.ctl = ctl,
		.account_id = account_id,
		.service = ctl_service(ctl),
		.rows = json_array_tree(),
		.is_shown = isatty(STDERR_FILENO) && !ctl->is_json,
	};
	batches.service.principal.label = "daymarkctl incident import";
	const char *from = ctl_option(ctl, "from-line");
	int64_t from_line = 0;
	if (from && !ctl_id(from, &from_line)) {
		json_free(batches.rows);
		return ctl_usage(ctl, "--from-line must be the number of a line");
	}
	enum result result = incident_import_file_hash(file, &batches.file, &ctl->error);
	if (result == OK)
		result = incident_import_find(ctl->db, account_id, &ctl->arena, &batches.file,
					      &ctl->error);
	if (from_line > 0)
		batches.file.lines_done = from_line - 1;
	if (result == OK)
		result = import_read(file, take, &batches, &ctl->error);
	if (result == OK)
		result = store_batch(&batches);
	json_free(batches.rows);
	/* What is imported is published, also when a later line was bad. */
	service_publish_imported(&batches.service);
	int published = ctl_published(ctl, &batches.service);
	int status = report(&batches, result);
	return status != CTL_OK ? status : published;
}

static int import_run(struct ctl *ctl)
{
	struct account account;
	int status = ctl_account(ctl, &account);
	if (status != CTL_OK)
		return status;
	ctl_as_caller(ctl);
	FILE *file = fopen(ctl->arguments[0], "re");
	ctl_as_owner(ctl);
	if (!file)
		return ctl_usage(ctl, "%s: %s", ctl->arguments[0], strerror(errno));
	status = import_file(ctl, file, account.id);
	fclose(file);
	return status;
}

const struct ctl_command incident_import_command = {
	.group = "incident",
	.action = "import",
	.arguments = "FILE",
	.arguments_count = 1,
	.summary = "Import incidents from JSON lines or CSV",
	.is_patient = true,
	.run = import_run,
	.options = {
		{ "account", "ACCOUNT", "its account, by id or name; "
				       "may be left out if there is one" },
		{ "from-line", "N", "begin there: for a mended file, whose beginning is imported" },
	},
};
