#include "view/page/page_incident.h"

#include "view/page/page_impact.h"
#include "view/page/page_texts.h"

enum {
	WHOLE_UPDATES_MAX = 2,
	FOLDED_UPDATES_MAX = 7, /* further updates are only on the incident's own page */
};

bool page_incident_stands_alone(const struct page_incident *incident)
{
	return !incident->inside && !incident->during;
}

bool page_incident_has_text(const struct page_incident *shown)
{
	const struct incident *incident = &shown->row;
	return incident->kind == INCIDENT_REPORTED || incident->title || incident->comment ||
	       shown->updates.count > 0 || incident->postmortem;
}

static const char *link_of(const struct page_view *view, const struct incident *incident)
{
	return arena_printf(view->arena, "%s%s", view->root,
			    page_incident_path(incident, view->arena));
}

/* Appends the name, as a link if the incident has a page: see page_incident_has_text(). */
static void put_name(const struct page_view *view, const struct page_incident *shown)
{
	const struct incident *incident = &shown->row;
	struct buf *out = view->out;
	bool has_page = page_incident_has_text(shown);
	if (has_page)
		buf_printf(out, "<a dir=\"auto\" href=\"%s\">", link_of(view, incident));
	else
		buf_puts(out, "<span dir=\"auto\">");
	page_put_name(view, page_incident_name(view->snapshot, incident, view->arena));
	buf_puts(out, has_page ? "</a>" : "</span>");
}

static void put_times_of_open(const struct page_view *view, const struct incident *incident)
{
	page_say_with(view, SAY_NOT_RESOLVED, 0,
		      WORD_VALUES({ "start",
				    html_time(view->locale, incident->started_at, view->arena) }));
	page_put_so_far(view, incident->started_at);
	/* The updates of a reported incident show already that somebody works on it. */
	if (incident->acknowledged_at.s == 0 || incident->kind != INCIDENT_DETECTED)
		return;
	buf_puts(view->out, ". ");
	page_say_time(view, SAY_BEING_WORKED_ON, incident->acknowledged_at);
}

static void put_times(const struct page_view *view, const struct incident *incident)
{
	struct arena *arena = view->arena;
	int64_t duration_s = incident_duration_s(incident, incident->ended_at);
	if (incident->ended_at.s == 0) {
		put_times_of_open(view, incident);
		return;
	}
	page_say_with(view, SAY_RESOLVED, 0,
		      WORD_VALUES({ "duration", html_duration(view->locale, duration_s, arena) },
				  { "times",
				    page_times(view, incident->started_at, incident->ended_at) }));
}

static void put_next_update(const struct page_view *view, const struct incident *incident)
{
	struct instant next = incident->next_update_at;
	bool is_overdue = next.s <= view->snapshot->now.s;
	if (next.s == 0 || incident->ended_at.s > 0)
		return;
	buf_printf(view->out, "<p class=\"next%s\">", is_overdue ? " overdue" : "");
	page_say_time(view, is_overdue ? SAY_UPDATE_OVERDUE : SAY_NEXT_UPDATE, next);
	buf_puts(view->out, "</p>\n");
}

void page_put_explained(const struct page_view *page, const struct page_incident *all, size_t count,
			page_incident_filter *is_explained, const void *entry)
{
	/* Show times with dates, because an incident may begin on a day other than that of the
	 * heading. */
	struct page_view apart = *page;
	const struct page_view *view = &apart;
	struct buf *out = view->out;
	bool is_begun = false;
	apart.is_below_days = false;
	for (size_t i = 0; i < count; i++) {
		if (!is_explained(&all[i], entry))
			continue;
		if (!is_begun) {
			page_say_in(view, "<details class=\"inside\"><summary>",
				    SAY_FROM_MONITORING, "</summary><ul>\n");
		}
		is_begun = true;
		buf_printf(out, "<li id=\"incident-%lld\">", (long long)all[i].row.id);
		put_name(view, &all[i]);
		buf_puts(out, " <span class=\"meta\">");
		put_times(view, &all[i].row);
		buf_puts(out, "</span></li>\n");
	}
	if (is_begun)
		buf_puts(out, "</ul></details>\n");
}

static bool is_inside(const struct page_incident *incident, const void *entry)
{
	const struct incident *reported = entry;
	return incident->inside && incident->inside->row.id == reported->id;
}

/* Appends the detected incidents that are shown inside this reported incident. */
static void put_inside(const struct page_view *view, const struct incident *incident,
		       const struct page_incident *all, size_t count)
{
	page_put_explained(view, all, count, is_inside, incident);
}

static struct page_incidents all_of(const struct page_view *view)
{
	return (struct page_incidents){ view->snapshot->incidents, view->snapshot->incident_count };
}

void page_put_open_incident(const struct page_view *view, const struct page_incident *shown)
{
	const struct incident *incident = &shown->row;
	struct buf *out = view->out;
	int impact = page_incident_impact(incident, all_of(view));
	enum tone tone = page_tone_of_impact(impact);
	buf_printf(out, "<article class=\"card open %s\" id=\"incident-%lld\">\n<h3>",
		   page_tone_class(tone), (long long)incident->id);
	put_name(view, shown);
	buf_puts(out, "</h3>\n<p class=\"meta\">");
	page_put_impact(view, impact);
	buf_putc(out, ' ');
	put_times(view, incident);
	buf_puts(out, "</p>\n");
	page_put_incident_systems(view, incident, all_of(view));
	put_next_update(view, incident);
	page_put_updates(view,
			 &(struct page_updates){ .first = shown->updates.rows,
						 .count = shown->updates.count,
						 .total = shown->update_total,
						 .whole_max = WHOLE_UPDATES_MAX,
						 .folded_max = FOLDED_UPDATES_MAX,
						 .link = page_incident_path(incident, view->arena),
						 .incident = incident,
						 .heading_level = 4 });
	if (shown->updates.count == 0 && incident->comment)
		page_put_folded_text(view, incident->comment, 4);
	put_inside(view, incident, view->snapshot->incidents, view->snapshot->incident_count);
	buf_puts(out, "</article>\n");
}

/* Appends links to all updates and to the post-mortem on the page of the incident. */
static void put_links(const struct page_view *view, const struct page_incident *shown)
{
	const struct incident *incident = &shown->row;
	struct buf *out = view->out;
	const char *link = link_of(view, incident);
	if (shown->updates.count < 2 && !incident->postmortem)
		return;
	buf_puts(out, "<p class=\"meta\">");
	if (shown->updates.count > 1) {
		buf_printf(out, "<a href=\"%s\">", link);
		page_say_updates(view, shown->updates.count, shown->update_total);
		buf_puts(out, "</a> ");
	}
	if (incident->postmortem) {
		buf_printf(out, "<a href=\"%s#postmortem\">", link);
		page_say(view, SAY_POSTMORTEM);
		buf_puts(out, "</a>");
	}
	buf_puts(out, "</p>\n");
}

void page_put_past_incident(const struct page_view *view, const struct page_incident *shown,
			    const struct page_incident *all, size_t count)
{
	const struct incident *incident = &shown->row;
	struct buf *out = view->out;
	const char *text = shown->updates.count > 0 ? shown->updates.rows[0].body
						    : incident->comment;
	buf_printf(out, "<li class=\"%s\" id=\"incident-%lld\"><p><strong>",
		   page_tone_class(page_tone_of_impact(
			   page_incident_impact(incident, (struct page_incidents){ all, count }))),
		   (long long)incident->id);
	put_name(view, shown);
	buf_puts(out, "</strong></p>\n<p class=\"meta\">");
	if (view->has_impacts) {
		page_put_impact(view, page_incident_impact(incident,
							   (struct page_incidents){ all, count }));
		buf_putc(out, ' ');
	}
	put_times(view, incident);
	if (incident->exclude_from_uptime) {
		buf_puts(out, ". ");
		page_say(view, SAY_NOT_IN_UPTIME);
	}
	buf_puts(out, "</p>\n");
	page_put_names(view, incident->monitors, incident->monitor_count);
	if (text)
		page_put_folded_text(view, text, 5);
	put_links(view, shown);
	put_inside(view, incident, all, count);
	buf_puts(out, "</li>\n");
}

void page_put_going_on(const struct page_view *view, const struct incident *incident,
		       struct instant next)
{
	const char *since = html_date(view->locale, incident->started_at, view->arena);
	bool is_open = incident->ended_at.s == 0;
	buf_printf(view->out, "<li class=\"also%s%s\"><a dir=\"auto\" href=\"%s\">",
		   is_open ? " " : "",
		   is_open ? page_tone_class(page_tone_of_impact(incident->impact)) : "",
		   link_of(view, incident));
	page_put_name(view, page_incident_name(view->snapshot, incident, view->arena));
	buf_puts(view->out, "</a> ");
	page_say_with(view,
		      is_open			       ? SAY_IS_OPEN
		      : incident->ended_at.s <= next.s ? SAY_ENDED_THIS_DAY
						       : SAY_WENT_ON,
		      0, WORD_VALUES({ "date", since }));
	buf_puts(view->out, "</li>\n");
}

static void put_fact(const struct page_view *view, enum sentence name, const char *html)
{
	buf_puts(view->out, "<div><dt>");
	page_say(view, name);
	buf_printf(view->out, "</dt><dd>%s</dd></div>\n", html);
}

/* Appends the start of the incident. If it is open, also appends its duration so far. */
static void put_start(const struct page_view *view, const void *of)
{
	const struct incident *incident = of;
	buf_puts(view->out, html_time(view->locale, incident->started_at, view->arena));
	if (incident->ended_at.s == 0)
		page_put_so_far(view, incident->started_at);
}

static void put_facts(const struct page_view *view, const struct incident *incident)
{
	struct buf *out = view->out;
	const struct locale *locale = view->locale;
	struct arena *arena = view->arena;
	int impact = page_incident_impact(incident, all_of(view));
	page_say_in(view, "<dl class=\"facts\">\n<div><dt>", SAY_IMPACT, "</dt><dd>");
	page_put_impact(view, impact);
	buf_puts(out, "</dd></div>\n");
	put_fact(view, SAY_STARTED, page_value(view, put_start, incident));
	if (incident->ended_at.s > 0) {
		int64_t duration_s = incident_duration_s(incident, incident->ended_at);
		put_fact(view, SAY_ENDED, html_time(locale, incident->ended_at, arena));
		put_fact(view, SAY_DURATION, html_duration(locale, duration_s, arena));
	}
	buf_puts(out, "</dl>\n");
	if (incident->exclude_from_uptime) {
		page_say_in(view, "<p class=\"meta\">", SAY_NOT_IN_UPTIME, "</p>\n");
	}
}

/* Appends the phase of the newest update; "investigating" if there is no update. After the end,
 * always appends "resolved". */
static void put_incident_state(const struct page_view *view, const struct page_incident *shown)
{
	int phase = shown->updates.count > 0 ? shown->updates.rows[0].phase : PHASE_INVESTIGATING;
	if (shown->row.ended_at.s > 0)
		phase = PHASE_RESOLVED;
	buf_puts(view->out, "<p class=\"phase\">");
	page_put_state(view, page_tone_of_phase(phase), page_phase(phase));
	buf_puts(view->out, "</p>\n");
}

static void put_whole_incident(const struct page_view *view, const struct page_incident *shown)
{
	const struct incident *incident = &shown->row;
	struct buf *out = view->out;
	put_incident_state(view, shown);
	buf_puts(out, "<h2><bdi>");
	page_put_name(view, page_incident_name(view->snapshot, incident, view->arena));
	buf_puts(out, "</bdi></h2>\n");
	put_facts(view, incident);
	page_put_incident_systems(view, incident, all_of(view));
	put_next_update(view, incident);
	if (incident->postmortem) {
		page_say_in(view,
			    "<section class=\"card\" aria-labelledby=\"postmortem\">\n"
			    "<h3 id=\"postmortem\">",
			    SAY_POSTMORTEM, "</h3>\n");
		page_put_text(view, incident->postmortem, 4);
		buf_puts(out, "</section>\n");
	}
	if (shown->updates.count > 0) {
		page_put_all_updates(view, (struct page_updates){ .first = shown->updates.rows,
								  .count = shown->updates.count,
								  .total = shown->update_total,
								  .incident = incident });
	} else if (incident->comment) {
		page_put_text(view, incident->comment, 4);
	}
	put_inside(view, incident, view->snapshot->incidents, view->snapshot->incident_count);
}

void page_incident(struct buf *out, const struct page_snapshot *snapshot,
		   const struct page_incident *shown, struct arena *arena)
{
	const struct incident *incident = &shown->row;
	struct locale locale = locale_of_page(&snapshot->page);
	bool is_open = incident->ended_at.s == 0;
	struct page_view view = { out, snapshot, &locale, arena, "../", false, is_open };
	const char *text = shown->updates.count > 0 ? shown->updates.rows[0].body
						    : incident->comment;
	page_begin_own(&view,
		       (struct page_head){ .part = page_incident_name(snapshot, incident, arena),
					   .path = page_incident_path(incident, arena),
					   .tone = is_open ? page_tone_of_impact(incident->impact)
							   : TONE_UP },
		       text);
	put_whole_incident(&view, shown);
	page_end_own(&view);
}

void page_incident_frame(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct page_snapshot frame = *snapshot;
	struct posted_update update = {
		.phase = PHASE_RESOLVED, .body = "", .at = { 1 }, .edited_at = { 2 }
	};
	struct incident_monitor monitor = { .id = 1, .name = "" };
	const struct page_incident sample = { .row = { .id = 1,
						       .kind = INCIDENT_REPORTED,
						       .title = "",
						       .monitor_name = "",
						       .cause = "",
						       .started_at = { 1 },
						       .ended_at = { 2 },
						       .monitors = &monitor,
						       .monitor_count = 1,
						       .postmortem = "",
						       .exclude_from_uptime = true },
					      .updates = { &update, 1 } };
	const struct page_incident detected = { .row = { .id = 1,
							 .kind = INCIDENT_DETECTED,
							 .monitor_name = "",
							 .cause = "",
							 .comment = "",
							 .started_at = { 1 },
							 .ended_at = { 2 } } };
	frame.now = (struct instant){ 0 };
	page_incident(out, &frame, &sample, arena);
	page_incident(out, &frame, &detected, arena);
}
