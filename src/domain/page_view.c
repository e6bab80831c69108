#include "domain/page_view.h"

const char *page_view_summary(const struct page_view *view, struct arena *arena)
{
	if (view->monitor_count == 0)
		return "No systems are shown yet";
	if (view->down_count == 0)
		return "All systems operational";
	if (view->down_count == view->monitor_count)
		return view->down_count == 1 ? "The system is down" : "All systems are down";
	return arena_printf(arena, "%zu of %zu systems %s down", view->down_count,
			    view->monitor_count, view->down_count == 1 ? "is" : "are");
}
