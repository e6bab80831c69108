/*
 * daymark: the service, as FastCGI or as plain CGI.
 *
 * It runs as FastCGI if standard input is a listening socket, or if the configuration has `listen`.
 * It runs as CGI if the environment has a CGI request.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sysexits.h>
#include <unistd.h>

#include "app/app.h"
#include "base/budget.h"
#include "base/config/config.h"
#include "base/library.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/secret.h"
#include "base/zone.h"
#include "confinement.h"
#include "counters.h"
#include "db/db.h"
#include "domain/page/site.h"
#include "http/gateway.h"
#include "http/request.h"
#include "mirror/mirror.h"
#include "mirror/receive/receiver.h"
#include "listening.h"
#include "publish/folder/file_sync.h"
#include "roles.h"
#include "start_check.h"
#include "supervisor.h"
#include "view/service_html.h"
#include "view/words/words_file.h"

struct service {
	const char *config_path;
	int listen_fd;
	int wake_fd; /* eventfd that wakes the publisher process; -1: there is no publisher */
	struct arena arena;
	struct config config;
	struct site site;
	struct mirrors mirrors;
};

static enum result load(struct service *service, struct error *error)
{
	enum { CONFIG_MAX_BYTES = 1 << 20 };
	struct service fresh = *service;
	arena_init(&fresh.arena, CONFIG_MAX_BYTES);
	enum result result = config_load(&fresh.config, fresh.config_path, &fresh.arena, error);
	if (result == OK)
		result = mirrors_parse(&fresh.config, &fresh.arena, &fresh.mirrors, error);
	if (result == OK)
		result = words_file_load(fresh.config.words_file, error);
	if (result == OK)
		site_init(&fresh.site, &fresh.config, &fresh.arena);
	arena_done(result == OK ? &service->arena : &fresh.arena);
	if (result == OK)
		*service = fresh;
	return result;
}

static bool reload(void *context)
{
	struct error error = { 0 };
	struct service *service = context;
	enum result result = load(service, &error);
	if (result != OK)
		log_warn("reload", "the former configuration stays in force: %s",
			 error_text(&error));
	else if (!config_is_mirror(&service->config))
		start_check(&service->config, service->listen_fd);
	if (result == OK)
		counters_open(&service->config);
	return result == OK;
}

/* Whether the service has a publisher process. A mirror has none, because it publishes nothing. */
static bool has_publisher(const struct service *service)
{
	return service->config.has_publisher && !config_is_mirror(&service->config);
}

/* On a mirror: moves received pages into place if a process died before it had moved them. */
static void recover(const struct service *service)
{
	struct error error = { 0 };
	if (config_is_mirror(&service->config) && receiver_recover(&service->config, &error) != OK)
		log_warn("mirror", "pages are left to be put in place: %s", error_text(&error));
}

static struct app_settings settings_of(const struct service *service)
{
	return (struct app_settings){
		.config = &service->config,
		.site = &service->site,
		.publisher_fd = has_publisher(service) ? service->wake_fd : -1,
	};
}

static struct responder responder_of(const struct app_settings *settings)
{
	struct responder responder = app_responder;
	responder.context = settings;
	return responder;
}

static long count_workers(const void *context)
{
	const struct service *service = context;
	return (long)service->config.processes;
}

static void serve_fcgi(const void *context)
{
	const struct service *service = context;
	struct app_settings settings = settings_of(service);
	struct responder responder = responder_of(&settings);
	struct fcgi_limits limits = {
		.threads = service->config.threads,
		.max_requests = service->config.max_requests,
		.worn_out = supervisor_replace_me,
		.read_timeout_s = service->config.read_timeout_s,
		.max_body_bytes = (size_t)service->config.max_body_bytes,
		.unfinished_max_bytes = config_unfinished_bytes(&service->config),
		.memory_bytes = config_process_bytes(&service->config),
	};
	/* Make free() return large blocks to the system at once. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	file_sync_at_once();
	recover(service);
	gateway_fcgi_run(service->listen_fd, &responder, &limits);
}

static long count_publishers(const void *context)
{
	const struct service *service = context;
	return has_publisher(service) && service->wake_fd >= 0;
}

static void publish(const void *context)
{
	const struct service *service = context;
	publisher_run(&service->config, &service->site, service->wake_fd);
}

static long count_senders(const void *context)
{
	const struct service *service = context;
	return service->config.has_outbox && !config_is_mirror(&service->config);
}

static void send_messages(const void *context)
{
	const struct service *service = context;
	sending_run(&service->config);
}

static long count_pushers(const void *context)
{
	const struct service *service = context;
	return service->mirrors.count > 0;
}

static void push_to_mirrors(const void *context)
{
	const struct service *service = context;
	mirrors_run(&service->config, &service->mirrors);
}

/*
 * The roles, in the order in which they end. The workers end first. The publisher then publishes
 * the pages that the workers have not published. The pushers end last, because they send these
 * pages to the mirrors. The sum of all leave_ms is less than TimeoutStopSec in daymark.service.
 */
static const struct process_role roles[] = {
	{ .name = "worker",
	  .count = count_workers,
	  .run = serve_fcgi,
	  .leave_ms = 30000,
	  .wears_out = true,
	  .rights = PROCESS_HAS_MEMORY },
	{ .name = "publisher",
	  .title = "daymark-publish",
	  .count = count_publishers,
	  .run = publish,
	  .leave_ms = 5000 },
	{ .name = "sender",
	  .title = "daymark-sender",
	  .count = count_senders,
	  .run = send_messages,
	  .leave_ms = 5000,
	  .rights = PROCESS_READS_CERTIFICATES },
	{ .name = "pusher",
	  .title = "daymark-mirrors",
	  .count = count_pushers,
	  .run = push_to_mirrors,
	  .leave_ms = 5000,
	  .rights = PROCESS_READS_CERTIFICATES | PROCESS_RUNS_COMMANDS },
};

static void block_signal(int number)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, number);
	sigprocmask(SIG_BLOCK, &signals, NULL);
}

static void begin_process(const void *context, const struct process_role *role)
{
	const struct service *service = context;
	const struct mirrors *mirrors = &service->mirrors;
	if (role->title)
		prctl(PR_SET_NAME, role->title);
	/* Only the supervisor handles SIGINT and SIGHUP. run_fcgi() has blocked SIGHUP. */
	block_signal(SIGINT);
	if (role->rights & PROCESS_HAS_MEMORY)
		budget_set(config_process_bytes(&service->config));
	zone_keep_descriptor();
	/* Open the file of the counters if the supervisor could not: the pages folder may have been
	 * created since. */
	metrics_tend_now();
	/* Do not confine a process that runs the operator's command: a confined process may not run
	 * programs. */
	if (!(role->rights & PROCESS_RUNS_COMMANDS && mirrors_have_command(mirrors)))
		confine_to(&service->config,
			   role->rights & PROCESS_READS_CERTIFICATES ? mirrors : NULL);
}

static int run_fcgi(struct service *service)
{
	struct error error = { 0 };
	/* SIGHUP during the start stays pending until the supervisor handles it. */
	block_signal(SIGHUP);
	/* Load the library before fork(), so that all processes share its memory. */
	if (!config_is_mirror(&service->config) && db_client_load(&error) != OK) {
		fprintf(stderr, "daymark: %s\n", error_text(&error));
		return EX_UNAVAILABLE;
	}
	/* Copy the path of the socket, because a reload replaces the configuration. */
	char path[PATH_MAX] = "";
	if (service->config.listen)
		snprintf(path, sizeof(path), "%s", service->config.listen + strlen("unix:"));
	bool is_given = socket_is_listening(STDIN_FILENO);
	service->listen_fd = is_given ? STDIN_FILENO : socket_open(path);
	if (service->listen_fd < 0) {
		fprintf(stderr, "daymark: cannot listen on %s: %s\n", path, strerror(errno));
		return EX_OSERR;
	}
	/* Log the version before the lines of the start check, which runs in a separate process. */
	log_info("start", "version " PACKAGE_VERSION ", %lld worker processes",
		 (long long)service->config.processes);
	if (!config_is_mirror(&service->config))
		start_check(&service->config, service->listen_fd);
	/* Open the counters before fork(): all processes then share them, even without the file. */
	counters_name(roles, ARRAY_LEN(roles));
	counters_open(&service->config);
	service->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct supervisor supervisor = {
		.roles = roles,
		.role_count = ARRAY_LEN(roles),
		.begin = begin_process,
		.reload = reload,
		.context = service,
	};
	int status = supervisor_run(&supervisor);
	if (!is_given)
		unlink(path);
	return status;
}

/* Responds with 503. The response says only that the service is not configured; the log has the
 * reason. */
static int refuse_cgi(const struct error *error)
{
	static const char said[] = "The service is not configured.";
	struct buf body = BUF_INIT(64 * 1024);
	const char *path = getenv("PATH_INFO");
	if (!path || !*path)
		path = getenv("REQUEST_URI");
	bool is_json = request_path_is_for_programs(str_from(path));
	log_warn("config", "%s", error_text(error));
	if (is_json)
		buf_printf(&body, "{\"message\":\"%s\",\"status\":503}", said);
	else
		service_failure_html(&body, words_of_service(), 503, said, NULL);
	printf("Status: 503 Service Unavailable\r\nContent-Type: %s\r\nRetry-After: 60\r\n\r\n",
	       is_json ? "application/json" : "text/html; charset=utf-8");
	if (buf_ok(&body))
		fwrite(body.data, 1, body.len, stdout);
	buf_done(&body);
	return EX_OK;
}

static void usage(FILE *out)
{
	fputs("Usage: daymark [--config FILE]\n\n"
	      "Serves FastCGI on the socket that `listen` names in the configuration, or on a\n"
	      "listening socket as standard input; or one CGI request from the environment.\n"
	      "SIGTERM completes the running requests and ends; SIGHUP reloads the "
	      "configuration.\n\n"
	      "  --config FILE  the configuration (else $DAYMARK_CONF, else daymark.conf beside "
	      "the\n"
	      "                 program, else " SYSCONFDIR "/daymark/daymark.conf)\n"
	      "  --help\n  --version\n",
	      out);
}

/* Reads the command line. Returns the exit status, or -1 if the program must go on. */
static int read_options(struct service *service, int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ 0 },
	};
	int chosen;
	while ((chosen = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (chosen) {
		case 'c':
			service->config_path = optarg;
			break;
		case 'h':
			usage(stdout);
			return EX_OK;
		case 'v':
			puts("daymark " PACKAGE_VERSION);
			return EX_OK;
		default:
			usage(stderr);
			return EX_USAGE;
		}
	}
	if (optind < argc) {
		usage(stderr);
		return EX_USAGE;
	}
	return -1;
}

int main(int argc, char **argv)
{
	static struct service service;
	struct error error = { 0 };
	/* Ignore the arguments of a CGI request: web servers pass some queries in them (RFC 3875
	 * 4.4). */
	bool is_cgi = getenv("GATEWAY_INTERFACE") && !socket_is_listening(STDIN_FILENO);
	int status = is_cgi ? -1 : read_options(&service, argc, argv);
	if (status >= 0)
		return status;
	/* Ignore SIGXFSZ, so that a write over the user's limit for files (ulimit -f) fails, but
	 * does not end the process. */
	signal(SIGXFSZ, SIG_IGN);
	library_hide_path();
	secret_init();
	service.config_path = config_path(service.config_path);
	enum result result = load(&service, &error);
	if (result != OK && is_cgi)
		return refuse_cgi(&error);
	if (result != OK) {
		fprintf(stderr, "daymark: %s\n", error_text(&error));
		return EX_CONFIG;
	}
	log_open("daymark", service.config.log_file);
	confine_start(&service.config);
	if (is_cgi) {
		confine_to(&service.config, NULL);
		struct app_settings settings = { &service.config, &service.site, -1 };
		struct responder responder = responder_of(&settings);
		recover(&service);
		counters_name(roles, ARRAY_LEN(roles));
		counters_open(&service.config);
		gateway_cgi_run(&responder);
		arena_done(&service.arena);
		return EX_OK;
	}
	if (!service.config.listen && !socket_is_listening(STDIN_FILENO)) {
		fputs("daymark: no socket on standard input, and no [server] listen in the "
		      "configuration\n",
		      stderr);
		return EX_CONFIG;
	}
	return run_fcgi(&service);
}
