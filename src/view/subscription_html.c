#include "view/subscription_html.h"

#include "base/bidi.h"
#include "view/html.h"

static void put_systems(struct buf *out, const struct subscription_system *systems, size_t count,
			struct arena *arena)
{
	buf_puts(out, "<ul>\n");
	for (size_t i = 0; i < count; i++) {
		buf_printf(out,
			   "<li><label><input type=\"checkbox\" name=\"monitor_ids[]\" "
			   "value=\"%lld\"%s> <span dir=\"auto\">",
			   (long long)systems[i].id, systems[i].is_chosen ? " checked" : "");
		html_text(out, bidi_closed(systems[i].name, arena));
		buf_puts(out, "</span></label></li>\n");
	}
	buf_puts(out, "</ul>\n");
}

void subscription_form_html(struct buf *out, const struct words *words,
			    const struct subscription_form *form, struct arena *arena)
{
	buf_puts(out, "<form class=\"subscribe\" action=\"subscribe\" method=\"post\">\n");
	if (form->is_wrong) {
		buf_puts(out, "<p class=\"problem\" id=\"problem\" role=\"alert\">");
		words_put(out, words, SAY_ADDRESS_WRONG);
		buf_puts(out, "</p>\n");
	}
	buf_puts(out, "<label for=\"address\">");
	words_put(out, words, SAY_SUBSCRIBE_ADDRESS);
	buf_puts(out, "</label>\n<input type=\"text\" id=\"address\" name=\"address\" "
		      "inputmode=\"email\" "
		      "autocomplete=\"email\" autocapitalize=\"none\" spellcheck=\"false\" "
		      "maxlength=\"2048\" dir=\"ltr\" required");
	if (form->address) {
		buf_puts(out, " value=\"");
		html_attr(out, form->address);
		buf_putc(out, '"');
	}
	buf_puts(out, form->is_wrong ? " aria-describedby=\"problem\" autofocus>\n" : ">\n");
	if (form->count > 1) {
		buf_puts(out, "<details><summary>");
		words_put(out, words, SAY_ONLY_SYSTEMS);
		buf_puts(out, "</summary>\n");
		put_systems(out, form->systems, form->count, arena);
		buf_puts(out, "</details>\n");
	}
	words_put_element(out, words, "button", SAY_SUBSCRIBE);
	buf_puts(out, "</form>\n");
}

static void open_form(struct buf *out, const struct subscription_view *view)
{
	buf_puts(out, "<form class=\"subscribe\" method=\"post\" action=\"subscription?token=");
	html_attr(out, view->token);
	buf_puts(out, "\">\n");
}

static void put_button(struct buf *out, const struct words *words, const char *action,
		       enum sentence sentence)
{
	buf_printf(out, "<button name=\"action\" value=\"%s\">", action);
	words_put(out, words, sentence);
	buf_puts(out, "</button>\n");
}

static void put_keys(struct buf *out, const struct subscription_view *view)
{
	buf_puts(out, "<p>webhook-signature: <code class=\"address\" dir=\"ltr\">");
	html_text(out, view->secret);
	buf_puts(out, "</code><code class=\"address\" dir=\"ltr\">");
	html_text(out, view->public_key);
	buf_puts(out, "</code></p>\n");
}

void subscription_html(struct buf *out, const struct words *words,
		       const struct subscription_view *view, struct arena *arena)
{
	buf_puts(out, "<p dir=\"ltr\">");
	html_text(out, view->address);
	buf_puts(out, "</p>\n");
	if (view->is_saved)
		words_put_element(out, words, "p", SAY_SAVED);
	if (!view->is_confirmed) {
		words_put_element(out, words, "p", SAY_CONFIRM_TEXT);
		open_form(out, view);
		put_button(out, words, "confirm", SAY_CONFIRM);
		buf_puts(out, "</form>\n");
		return;
	}
	open_form(out, view);
	if (view->count > 1) {
		words_put_element(out, words, "strong", SAY_ONLY_SYSTEMS);
		put_systems(out, view->systems, view->count, arena);
		put_button(out, words, "save", SAY_SAVE);
	}
	put_button(out, words, "end", SAY_UNSUBSCRIBE);
	buf_puts(out, "</form>\n");
	if (view->secret)
		put_keys(out, view);
}
