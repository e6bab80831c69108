/* Runs operations of service/ for daymarkctl: as the operator, on all accounts. */
#include "ctl/ctl.h"

struct service ctl_service(struct ctl *ctl)
{
	violations_init(&ctl->violations, &ctl->arena);
	return (struct service){
		.db = ctl->db,
		.config = &ctl->config,
		.site = &ctl->site,
		.base_url = ctl->config.base_url,
		.arena = &ctl->arena,
		.principal = { .type = PRINCIPAL_OPERATOR, .label = "daymarkctl" },
		.now = clock_now(),
		.violations = &ctl->violations,
		.error = &ctl->error,
	};
}

enum result ctl_find(struct ctl *ctl, const struct resource *resource, int64_t id, void *row)
{
	struct service service = ctl_service(ctl);
	return resource_find(&service, resource, &(struct resource_place){ .id = id }, row);
}

enum result ctl_read_after(struct ctl *ctl, const struct resource *resource, int64_t account_id,
			   int64_t after_id, struct resource_rows *rows)
{
	struct service service = ctl_service(ctl);
	return resource_list_after(&service, resource, account_id, after_id, rows);
}

struct publisher ctl_publisher(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	return service_publisher(&service);
}

/* Returns the exit status of a command whose changes were published with `result`. */
static int exit_published(struct ctl *ctl, enum result result)
{
	return result == OK ? CTL_OK
			    : ctl_fail(ctl, result,
				       "the change is saved, but not all pages are published; run "
				       "`daymarkctl publish`");
}

int ctl_published(struct ctl *ctl, const struct service *service)
{
	/* If publishing has not failed, keep ctl->error: it may have the operation's error. */
	if (service->publishing.result != OK)
		ctl->error = service->publishing.failure;
	return exit_published(ctl, service->publishing.result);
}

int ctl_finish(struct ctl *ctl, const struct service *service, enum result result, const char *kind)
{
	return result == OK ? ctl_published(ctl, service)
			    : ctl_fail_find(ctl, result, kind, ctl->arguments[0]);
}

int ctl_publish_due(struct ctl *ctl)
{
	struct publisher publisher = ctl_publisher(ctl);
	struct publish_run run = { 0 };
	return exit_published(ctl, publish_run(&publisher, &run, &ctl->error));
}
