/* daymark-check: checks the monitors. It is a separate program, which no other part needs. */
#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/library.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/secret.h"
#include "base/zone.h"
#include "check/checker.h"
#include "check/explain.h"
#include "confinement.h"
#include "db/db.h"
#include "view/words/words_file.h"

/* The longest time to store the results of finished checks when the program ends. ONCE_LEAVE_MS
 * applies to --once, LEAVE_MS to all other runs. */
enum { LEAVE_MS = 1500, ONCE_LEAVE_MS = 30000 };
enum { STATUS_UP, STATUS_DOWN, STATUS_UNKNOWN }; /* exit statuses of --explain */

struct program {
	const char *config_path;
	const char *explained;
	bool is_once;
	struct arena arena;
	struct config config;
	struct site site;
	struct loop loop;
	int status;
	bool reloads;
	bool is_leaving; /* set by SIGTERM and SIGINT; a SIGHUP after them is ignored */
};

static enum result load(struct program *program, struct error *error)
{
	enum { CONFIG_MAX_BYTES = 1 << 20 };
	struct arena arena;
	struct config config;
	arena_init(&arena, CONFIG_MAX_BYTES);
	enum result result = config_load(&config, program->config_path, &arena, error);
	if (result == OK && config_is_mirror(&config))
		result = error_client(error, E_INVALID, "a mirror host has no monitors to check");
	if (result == OK && program->explained && config.check_centre)
		result = error_client(error, E_INVALID,
				      "--explain is for the machine with the database");
	if (result == OK)
		result = words_file_load(config.words_file, error);
	arena_done(result == OK ? &program->arena : &arena);
	if (result != OK)
		return result;
	arena_done(&program->arena);
	program->arena = arena;
	program->config = config;
	site_init(&program->site, &program->config, &program->arena);
	return OK;
}

static void take_signal(void *context, const struct signalfd_siginfo *signal)
{
	struct program *program = context;
	program->is_leaving |= signal->ssi_signo != SIGHUP;
	program->reloads = !program->is_leaving;
	loop_stop(&program->loop);
}

static void end_once(void *context, int status)
{
	struct program *program = context;
	program->status = status;
	loop_stop(&program->loop);
}

/* Runs the checker until a signal comes, or until all checks of --once are done. */
static void check(struct program *program)
{
	struct error error = { 0 };
	struct checker *checker;
	const struct checker_settings settings = { .config = &program->config,
						   .site = &program->site,
						   .is_once = program->is_once,
						   .done = end_once,
						   .context = program };
	program->reloads = false;
	program->status = EX_OK;
	if (checker_open(&checker, &program->loop, &settings, &error) != OK) {
		log_warn("check", "%s", error_text(&error));
		program->status = EX_CONFIG;
		return;
	}
	loop_run(&program->loop);
	if (!checker_close(checker, program->is_once ? ONCE_LEAVE_MS : LEAVE_MS)) {
		log_warn("check", "the database does not respond: not everything is stored");
		/* After SIGHUP, exit with a failure, because the service manager restarts the
		 * program only after a failure. */
		_exit(program->reloads ? EX_TEMPFAIL : program->status);
	}
}

static int run(struct program *program)
{
	struct error error = { 0 };
	struct loop_signals signals = { .call = take_signal, .context = program };
	if (!loop_open(&program->loop) ||
	    !loop_signals_watch(&program->loop, &signals,
				(const int[]){ SIGTERM, SIGINT, SIGHUP, 0 })) {
		fputs("daymark-check: out of descriptors\n", stderr);
		return EX_OSERR;
	}
	if (!program->is_once)
		log_info("start", "daymark-check " PACKAGE_VERSION);
	do {
		check(program);
		if (program->reloads)
			log_reopen();
		if (program->reloads && load(program, &error) != OK)
			log_warn("reload", "the former configuration stays in force: %s",
				 error_text(&error));
	} while (program->reloads);
	loop_signals_unwatch(&program->loop, &signals);
	(void)loop_close(&program->loop);
	return program->status;
}

static void usage(FILE *out)
{
	fputs("Usage: daymark-check [--config FILE] [--once | --explain MONITOR]\n\n"
	      "Checks the monitors, and reports their outages and recoveries. SIGTERM ends the\n"
	      "program; SIGHUP reads the configuration again.\n\n"
	      "  --once             check the monitors that are due, and end: for cron\n"
	      "  --explain MONITOR  check the monitor with this id, label or name, and show each\n"
	      "                     step; nothing is stored. Exit status: 0 up, 1 down, 2 unknown\n"
	      "  --config FILE      the configuration (else $DAYMARK_CONF, else daymark.conf "
	      "beside\n"
	      "                     the program, else " SYSCONFDIR "/daymark/daymark.conf)\n"
	      "  --help\n  --version\n",
	      out);
}

/* Reads the command line. Returns the exit status, or -1 if the program must go on. */
static int read_options(struct program *program, int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "explain", required_argument, NULL, 'e' },
		{ "once", no_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ 0 },
	};
	int chosen;
	while ((chosen = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (chosen) {
		case 'c':
			program->config_path = optarg;
			break;
		case 'e':
			program->explained = optarg;
			break;
		case 'o':
			program->is_once = true;
			break;
		case 'h':
			usage(stdout);
			return EX_OK;
		case 'v':
			puts("daymark-check " PACKAGE_VERSION);
			return EX_OK;
		default:
			usage(stderr);
			return STATUS_UNKNOWN;
		}
	}
	if (optind == argc && !(program->is_once && program->explained))
		return -1;
	usage(stderr);
	return STATUS_UNKNOWN;
}

int main(int argc, char **argv)
{
	static struct program program;
	struct error error = { 0 };
	int status = read_options(&program, argc, argv);
	if (status >= 0)
		return status;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	library_hide_path();
	secret_init();
	program.config_path = config_path(program.config_path);
	if (load(&program, &error) != OK ||
	    (!program.config.check_centre && db_client_load(&error) != OK)) {
		fprintf(stderr, "daymark-check: %s\n", error_text(&error));
		return program.explained ? STATUS_UNKNOWN : EX_CONFIG;
	}
	mallopt(M_ARENA_MAX, 2);
	confine_start(&program.config);
	zone_keep_descriptor();
	if (program.explained) {
		confine_to(&program.config, NULL);
		return (int)explain(&program.config, program.explained);
	}
	log_open("daymark-check", program.config.log_file);
	metrics_open(program.config.pages_dir, false);
	confine_to(&program.config, NULL);
	return run(&program);
}
