/* Writes the widget by which other sites show a page: a frame with the page's state, and the script
 * that inserts the frame. */
#include "view/page/page_parts.h"
#include "wire/json.h"

static void put_style(const struct page_view *view, const char *name)
{
	buf_printf(view->out, "<link rel=\"stylesheet\" href=\"%s\">\n", name);
}

static void put_head(const struct page_view *view)
{
	const struct status_page *page = &view->snapshot->page;
	buf_printf(view->out,
		   "<!DOCTYPE html>\n<html class=\"frame\" lang=\"%s\" dir=\"%s\">\n<head>\n"
		   "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		   "content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=\"robots\" content=\"noindex\">\n<title>",
		   view->locale->words->language, view->locale->words->direction);
	html_text(view->out, page_title(view->snapshot, view->arena));
	buf_puts(view->out, "</title>\n");
	put_style(view, page_style_name_of(page, view->arena));
	if (page->custom_css)
		put_style(view, page_custom_name(view->arena, page->custom_css, "css"));
	buf_puts(view->out, "</head>\n<body>\n");
	page_put_signs(view);
}

void page_widget(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	const struct page_view view = { out, snapshot, &locale, arena, "", false, false };
	enum tone tone = page_tone(snapshot);
	put_head(&view);
	buf_printf(out,
		   "<main><a class=\"overall %s\" href=\"./\" target=\"_blank\" rel=\"noopener\">",
		   page_tone_class(tone));
	page_put_sign(&view, tone);
	buf_puts(out, "<span><strong>");
	page_put_name(&view, page_summary(snapshot, arena));
	buf_puts(out, "</strong> <bdi>");
	page_put_name(&view, snapshot->page.name);
	buf_puts(out, "</bdi></span></a></main>\n</body>\n</html>\n");
}

void page_widget_script(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct json_object *frame = json_object_tree();
	json_put_text(frame, "title", page_title(snapshot, arena));
	json_put_text(frame, "loading", "lazy");
	/* The document in the frame has the colour scheme light. Browsers make a frame transparent
	 * if the element has the same colour scheme, so set the scheme of the element to light. */
	buf_puts(out, "(function(s,f){f.src=new URL('widget.html',s.src);"
		      "f.style.cssText='border:0;width:22rem;max-width:100%;height:4.5rem;color-"
		      "scheme:light';"
		      "Object.assign(f,");
	json_print(out, frame);
	buf_puts(out, ");s.after(f)})(document.currentScript,document.createElement('iframe'))\n");
	json_free(frame);
}
