#include "domain/page/figures.h"

static const char *const state_words[] = { "up", "down", NULL };

#define RESPONSE_TEXT "How long the check took, in milliseconds."
#define AT_TEXT	      "When the check was made, in the last 14 days; without it: now."
#define STATE_TEXT    "Whether the check succeeded; response times of failed checks do not count."

static const struct field figure_rows[] = {
	FIELD(struct figure, response_ms, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY,
	      .max = FIGURE_MAX_MS, .text = RESPONSE_TEXT),
	FIELD(struct figure, at, .text = AT_TEXT),
	FIELD(struct figure, state, .flags = FIELD_AS_WORD, .choices = state_words,
	      .text = STATE_TEXT),
};
static const struct fields figure_fields = { figure_rows, ARRAY_LEN(figure_rows) };

#define SENT(member, ...) FIELD(struct figures_input, member, __VA_ARGS__)
static const struct field input_rows[] = {
	SENT(response_ms, .max = FIGURE_MAX_MS,
	     .text = RESPONSE_TEXT " Required, unless figures is sent."),
	SENT(at, .text = AT_TEXT),
	SENT(state, .flags = FIELD_AS_WORD, .choices = state_words, .text = STATE_TEXT),
	SENT(figures, FIELD_MEMBERS(struct figure, &figure_fields), .max = FIGURES_MAX,
	     .text = "Several response times at once."),
};
const struct fields figures_fields = { input_rows, ARRAY_LEN(input_rows) };
enum { SENT_RESPONSE, SENT_AT, SENT_STATE, SENT_FIGURES };

static void check_time(struct figure *figure, const char *name, const char *label,
		       struct instant now, struct violations *violations)
{
	if (figure->at.s > now.s + FIGURE_SKEW_S)
		violations_add(violations, name, "The %s field must not be in the future.", label);
	else if (figure->at.s != 0 && figure->at.s < now.s - FIGURE_MAX_AGE_S)
		violations_add(violations, name, "The %s field must be in the last 14 days.",
			       label);
	else if (figure->at.s == 0 || figure->at.s > now.s)
		figure->at = now;
}

void figures_check(struct figures_input *input, struct field_set sent, struct instant now,
		   struct arena *arena, struct violations *violations)
{
	bool has_one = field_set_has(sent, SENT_RESPONSE) || field_set_has(sent, SENT_AT) ||
		       field_set_has(sent, SENT_STATE);
	if (input->figures.count > 0 && has_one)
		violations_add(
			violations, "figures",
			"The figures field and the fields of one figure exclude each other.");
	if (input->figures.count > 0 || violations->count > 0) {
		struct figure *figures = input->figures.rows;
		for (size_t i = 0; i < input->figures.count; i++)
			check_time(&figures[i], arena_printf(arena, "figures.%zu.at", i), "at", now,
				   violations);
		return;
	}
	if (!field_set_has(sent, SENT_RESPONSE)) {
		violations_add(violations, "response_ms", "The response_ms field is required.");
		return;
	}
	struct figure *one = ARENA_NEW(arena, struct figure);
	*one = (struct figure){ input->response_ms, input->at, input->state };
	check_time(one, "at", "at", now, violations);
	input->figures = (struct field_rows){ one, 1 };
}

static int by_time(const void *a, const void *b)
{
	const struct figure *left = a, *right = b;
	return (left->at.s > right->at.s) - (left->at.s < right->at.s);
}

size_t figures_sum(struct field_rows figures, int64_t period_s, struct arena *arena,
		   struct check_hour **sums)
{
	struct figure *rows = figures.rows;
	struct check_hour *sum = ARENA_ARRAY(arena, figures.count, struct check_hour);
	size_t count = 0;
	qsort(rows, figures.count, sizeof(*rows), by_time);
	for (size_t i = 0; i < figures.count; i++) {
		int64_t from = rows[i].at.s - rows[i].at.s % period_s;
		if (count == 0 || sum[count - 1].hour.s != from)
			sum[count++] = (struct check_hour){ .hour = { from } };
		check_hour_add(&sum[count - 1], rows[i].state == FIGURE_UP, rows[i].response_ms);
	}
	*sums = sum;
	return count;
}
