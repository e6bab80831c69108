/*
 * The screens of a resource: its list, an object with its form, and the result of a form as labels
 * with values. Each row of the table in app/console/console_screens.c describes the screens of one
 * resource by the names of fields.
 */
#ifndef VIEW_CONSOLE_CONSOLE_RESOURCE_HTML_H
#define VIEW_CONSOLE_CONSOLE_RESOURCE_HTML_H

#include "view/console/console_form_html.h"

struct resource;

/* A button that posts to PATH/ID/path. */
struct console_action {
	const char *path; /* the path of the action, such as "check" */
	enum console_sentence button;
	enum permission permission;
	/* the person must open a <details> to see the button */
	bool is_grave;
};
/* An additional form. Below the facts of an object, the form is posted to PATH/ID/path. Below a
 * list, it is posted to PATH/path, and a link to PATH/export follows. */
struct console_part_form {
	const char *path; /* NULL: there is none */
	enum console_sentence heading, button;
	const struct fields *fields;
	const char *const *first; /* the names of the fields in the form; NULL: all */
	bool has_preview;
};
/* A tab: a screen of an object at PATH/ID/path. If path is "", it is the object's main screen. */
struct console_tab {
	const char *path;
	enum console_sentence sentence;
	enum permission permission;
};

enum { CONSOLE_ACTIONS_MAX = 4, CONSOLE_TABS_MAX = 8 };

struct console_screen {
	/* The path below /console/, such as "monitors". With "{id}" if the objects belong to an
	 * owner: "pages/{id}/subscribers". */
	const char *path;
	const char *api; /* the path in the API, such as "/api/v1/monitors" */
	const struct resource *resource;
	enum console_sentence title; /* the title of the list */
	enum console_sentence add;   /* the title of the form for a new object */
	/* Names of fields, ended with NULL: */
	const char *const *names; /* the object's name is the first of these fields with a value */
	const char *const *columns; /* shown below the name in lists */
	const char *const *facts;   /* shown above the form of an object */
	const char *const *first;   /* fields of the form that are always visible; other fields are
				       folded; NULL: all are visible */
	const char *const *without; /* fields that the form omits, because other inputs set them */
	/* fields that are lists of rows, shown below the facts of an object; NULL: none */
	const char *const *lists;
	/* The columns of a table. A list is shown as a table if its rows have the first two of
	 * these fields. */
	const char *const *table;
	/* The column whose numbers are drawn as a chart above the table, by the times in the first
	 * column. NULL: no chart. */
	const char *chart;
	/* The fields that describe an object on its screen. NULL: the fields of `resource`. */
	const struct fields *shown;
	const char *const *filters; /* the fields by which lists can be filtered, in addition to the
				       search; NULL: none */
	/*
	 * Which rows of a list are shown as an alarm; NULL: none.
	 * "FIELD=VALUE": rows in which the field has this value.
	 * "FIELD": rows in which the field has any value.
	 * "!FIELD": rows in which the field has no value.
	 */
	const char *alarm;
	const struct fields *query;	      /* the query parameters of the list; NULL: no list */
	const struct fields *create, *update; /* NULL: there is no such form */
	enum permission permission;	      /* the permission that the forms need */
	bool has_only_first;		      /* the form has only the fields of `first` */
	bool is_part;	  /* the rows of the list belong to the object {id}; a row has no separate
			     screen */
	bool has_preview; /* the form has a preview of the page */
	bool is_linked;	  /* in lists, each name links to the screen of the object */
	/* Returns the path to which the name of a row links; NULL: no link. If the function pointer
	 * is NULL, see is_linked. */
	const char *(*link)(const void *row, struct arena *arena);
	bool has_file; /* PATH/export is the list as CSV */
	/* If `choose` is set: returns the nested members that an object of this type has, as bits:
	 * see console_inputs.members. */
	unsigned (*members_of)(int type);
	const char *choose; /* the field (a type) that a person sets before the form opens; NULL:
			       none */
	struct console_action actions[CONSOLE_ACTIONS_MAX];
	struct console_part_form part_form;
	const struct console_tab *tabs; /* an array of CONSOLE_TABS_MAX tabs; NULL: none */
	/* The fields of the form that changes all checked rows, posted to PATH/bulk. NULL: no such
	 * form. */
	const struct fields *bulk;
};

/* The data of the screen of a list. */
struct console_list {
	const struct console_screen *screen;
	const char *path;	 /* "monitors", "pages/7/subscribers" */
	int64_t owner_id;	 /* if is_part: the object to which the rows belong */
	const void *const *rows; /* structs that `listed` describes */
	const struct fields *listed;
	size_t count;
	int64_t total;
	const char *previous, *next; /* the query strings of the list's previous and next page;
					NULL: no such page */
	const char *file_query;	     /* the query string of the CSV file with the whole list */
	const struct console_inputs *filter;
	const struct console_inputs *add;  /* the form for a new object; NULL: none */
	const struct console_inputs *part; /* the inputs of the screen's part_form */
	const struct console_inputs *bulk; /* the form for the checked rows; NULL: none */
	const char *bulk_path;
	struct id_list checked; /* the ids of the checked rows; sorted */
	const struct principal *principal;
	const char *form_key;
	const enum console_sentence *notice; /* NULL: none */
	int64_t notice_count;
};
void console_list_html(struct buf *out, const struct console_view *view,
		       const struct console_list *list);

/* The data of the screen of an object, or of the form for a new object. */
struct console_object {
	const struct console_screen *screen;
	int64_t id; /* 0: a new object */
	int64_t version;
	const void *row;  /* NULL: a new object */
	const char *back; /* if is_part: the path of the object to which this object belongs; else
			     NULL */
	const struct fields *shown;
	const struct console_inputs *inputs;
	const struct console_inputs *part; /* the inputs of the screen's part_form */
	const struct principal *principal;
	const char *form_key;
	const char *search;		     /* the text of the search for systems; NULL: none */
	const char *heading;		     /* NULL: the name of the row is the heading */
	const struct console_inputs *filter; /* the filter of a screen without a form; NULL: none */
	bool has_days; /* table rows are days in UTC; false: table rows are hours */
	/* Paths of links, below the console; NULL: no link. */
	const char *previous, *next, *csv;
	const enum console_sentence *notice; /* NULL: none */
};
void console_object_html(struct buf *out, const struct console_view *view,
			 const struct console_object *object);
/* Appends a list of the object. `path`: the path of the object, below the console. */
void console_put_list(struct buf *out, const struct console_view *view,
		      const struct console_object *object, const struct field *list,
		      const char *path);
/* Returns the names of the members that the screen shows of each row of the list, except `body` and
 * `title`. The names end with NULL. If the list is shown as a table, returns screen->table. */
const char *const *console_list_members(const struct console_screen *screen,
					const struct field *list, struct arena *arena);
/* Appends the screen with the texts for sharing a page. `qr_code`: HTML of an image with the page's
 * address. */
void console_share_html(struct buf *out, const struct console_view *view,
			const struct console_object *object, const char *qr_code);
/* Appends the choices of the field screen->choose, each as a link to the form for this choice. */
void console_choose_html(struct buf *out, const struct console_view *view,
			 const struct console_screen *screen);
/* Appends a list of labels and values. An element without a name ends `members`. */
void console_put_members(struct buf *out, const struct console_view *view,
			 const struct word_value *members);
/* The result of a form that does not lead to the screen of an object. Example: the text of a new
 * key. */
struct console_result {
	const struct word_value *members;      /* a row without a name ends them */
	const enum console_sentence *sentence; /* NULL: none */
	bool is_failure;
	bool has_secrets; /* the person must copy them now */
};
/* Appends the screen with the result. `back`: the path of the screen that had the form. */
void console_result_html(struct buf *out, const struct console_view *view, const char *back,
			 const struct console_result *result);
/* Appends the screen with links to `screens`, which have no link in the navigation. NULL ends
 * `screens`. */
void console_more_html(struct buf *out, const struct console_view *view,
		       const struct console_screen *const *screens);
/* Appends links to the other screens of the object. */
void console_put_tabs(struct buf *out, const struct console_view *view,
		      const struct console_screen *screen, const struct principal *principal,
		      int64_t id);
/* Returns the address of the list in the API; NULL: the API has no such list. */
const char *console_api_url(const struct console_view *view, const struct console_screen *screen,
			    int64_t owner_id);
/* Appends the buttons of the object at `path` that the principal may press. */
void console_put_actions(struct buf *out, const struct console_view *view,
			 const struct console_screen *screen, const struct principal *principal,
			 const char *path, const char *form_key);
/* Appends command lines for the API requests that do the same as the buttons. `url`: the object's
 * URL in the API. */
void console_put_action_calls(struct buf *out, const struct console_view *view,
			      const struct console_screen *screen,
			      const struct principal *principal, const char *url);
/* Appends a GET form that searches for systems, to choose them in the form below it. `template_id`:
 * the template that has filled in the form below; 0: none. */
void console_put_search(struct buf *out, const struct console_view *view, const char *search,
			int64_t template_id);

#endif
