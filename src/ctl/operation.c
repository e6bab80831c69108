/* How daymarkctl runs an operation of service/: as the operator, for all accounts. */
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

int ctl_published(struct ctl *ctl, const struct service *service)
{
	if (service->publishing.result == OK)
		return CTL_OK;
	ctl->error = service->publishing.failure;
	return ctl_fail(ctl, service->publishing.result,
			"the change is saved, but not all pages are published; run "
			"`daymarkctl publish`");
}
