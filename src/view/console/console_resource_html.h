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
	/* The button is inside a <details>, whose summary must be opened first. */
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
	/* The path below the console, such as "monitors". The path of a part has the id of its
	 * owner: "pages/{id}/subscribers". */
	const char *path;
	const char *api; /* the path in the API, such as "/api/v1/monitors" */
	const struct resource *resource;
	enum console_sentence title; /* the title of the list */
	enum console_sentence add;   /* the title of the form for a new object */
	/* Names of fields, ended with NULL: */
	const char *const *names; /* fields for the name of an object: the first that has a value */
	const char *const *columns; /* shown below the name in lists */
	const char *const *facts;   /* shown above the form of an object */
	const char *const *first;   /* fields of the form that are always visible; the others are
				       folded; NULL: all are visible */
	const char *const *without; /* fields that the form omits, because other inputs set them */
	/* Fields that are lists of rows. The screen shows them below the facts of an object. NULL:
	 * none. */
	const char *const *lists;
	/* The columns of tables. A list of `lists` is shown as a table if its rows have the first
	 * two columns. */
	const char *const *table;
	/* The column with the numbers for a chart above the table. The first column must then have
	 * times. NULL: no chart. */
	const char *chart;
	/* The fields that the screen of an object shows, if they are not those of `resource`;
	 * otherwise NULL. */
	const struct fields *shown;
	const char *const *filters; /* the fields by which lists can be filtered, in addition to the
				       search; NULL: none */
	/*
	 * Which rows are shown as an alarm; NULL: none.
	 * "FIELD=VALUE": those whose field has this value.
	 * "FIELD": those whose field has any value.
	 * "!FIELD": those whose field has no value.
	 */
	const char *alarm;
	const struct fields *query;	      /* the query of lists; NULL: there is no list */
	const struct fields *create, *update; /* NULL: there is no such form */
	enum permission permission;	      /* the permission that the forms need */
	bool has_only_first;		      /* the form has only the fields of `first` */
	bool is_part;	  /* the rows of the list belong to the object {id}, and have no screens of
			     their own */
	bool has_preview; /* the form can be shown as a page before it is saved */
	bool is_linked;	  /* names in lists lead to the screens of objects */
	/* Returns the path of the screen to which the name of a row leads; NULL: to none. If `link`
	 * is NULL, is_linked decides whether names lead to the screens of objects. */
	const char *(*link)(const void *row, struct arena *arena);
	bool has_file; /* PATH/export is the list as CSV */
	/* If the type of a new object is chosen first: returns which nested members an object of
	 * this type has, as a bit for each member. */
	unsigned (*members_of)(int type);
	const char *choose; /* the field that a person chooses before the form; NULL: none */
	struct console_action actions[CONSOLE_ACTIONS_MAX];
	struct console_part_form part_form;
	const struct console_tab *tabs; /* an array of CONSOLE_TABS_MAX tabs; NULL: none */
	/* The fields of the form that changes the chosen rows, posted to PATH/bulk. NULL: there is
	 * no such form. */
	const struct fields *bulk;
};

/* The data of the screen of a list. */
struct console_list {
	const struct console_screen *screen;
	const char *path;	 /* "monitors", "pages/7/subscribers" */
	int64_t owner_id;	 /* the object to which a part belongs */
	const void *const *rows; /* structs that `listed` describes */
	const struct fields *listed;
	size_t count;
	int64_t total;
	const char *previous, *next; /* the query strings of the previous and the next page of the
					list; NULL: none */
	const char *file_query;	     /* the query string of the CSV file with the whole list */
	const struct console_inputs *filter;
	const struct console_inputs *add;  /* for a new object, below the list; NULL: none */
	const struct console_inputs *part; /* the inputs of the screen's part_form */
	const struct console_inputs *bulk; /* for changing the chosen rows; NULL: none */
	const char *bulk_path;
	struct id_list checked; /* the rows that are chosen; sorted */
	const struct principal *principal;
	const char *form_key;
	const enum console_sentence *notice; /* NULL: none */
	int64_t notice_count;
};
void console_list_html(struct buf *out, const struct console_view *view,
		       const struct console_list *list);

/* An object, or the form for a new one. */
struct console_object {
	const struct console_screen *screen;
	int64_t id; /* 0: a new one */
	int64_t version;
	const void *row;  /* NULL: a new one */
	const char *back; /* the path of the object of which this object is a part; NULL: none */
	const struct fields *shown;
	const struct console_inputs *inputs;
	const struct console_inputs *part; /* the inputs of the screen's part_form */
	const struct principal *principal;
	const char *form_key;
	const char *search;  /* the text with which systems were searched; NULL: none */
	const char *heading; /* the heading; NULL: the name of the row */
	const struct console_inputs *filter; /* the filter of a screen without a form; NULL: none */
	bool has_days; /* the rows of tables are days of UTC; false: they are hours */
	/* Paths of links, below the console; NULL: no link. */
	const char *previous, *next, *csv;
	const enum console_sentence *notice; /* NULL: none */
};
void console_object_html(struct buf *out, const struct console_view *view,
			 const struct console_object *object);
/* Appends a list of the object, which is at `path` below the console. */
void console_put_list(struct buf *out, const struct console_view *view,
		      const struct console_object *object, const struct field *list,
		      const char *path);
/* Returns the names of the members that the screen shows of each row of the list, except `body` and
 * `title`. The names end with NULL. If the list is shown as a table, returns screen->table. */
const char *const *console_list_members(const struct console_screen *screen,
					const struct field *list, struct arena *arena);
/* Appends the screen that shares a page. qr_code: HTML of an image with the address of the page. */
void console_share_html(struct buf *out, const struct console_view *view,
			const struct console_object *object, const char *qr_code);
/* Appends the choices of the field screen->choose, each as a link to the form for this choice. */
void console_choose_html(struct buf *out, const struct console_view *view,
			 const struct console_screen *screen);
/* Appends a list of labels and values; a row without a name ends it. */
void console_put_members(struct buf *out, const struct console_view *view,
			 const struct word_value *members);
/* The outcome of a form that has no object as its outcome. Example: the text of a new key. */
struct console_result {
	const struct word_value *members;      /* a row without a name ends them */
	const enum console_sentence *sentence; /* NULL: none */
	bool is_failure;
	bool has_secrets; /* the person must copy them now */
};
/* Appends the outcome of a form. `back`: the path of the screen of the form. */
void console_result_html(struct buf *out, const struct console_view *view, const char *back,
			 const struct console_result *result);
/* Appends links to these screens, which the head of a screen does not name. The list ends with
 * NULL. */
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
/* Appends the requests of the API that do the same as the buttons of the object at `url`. */
void console_put_action_calls(struct buf *out, const struct console_view *view,
			      const struct console_screen *screen,
			      const struct principal *principal, const char *url);
/* Appends a GET form that searches for systems, to choose them in the form below it. `template_id`:
 * the template that has filled in the form below; 0: none. */
void console_put_search(struct buf *out, const struct console_view *view, const char *search,
			int64_t template_id);

#endif
