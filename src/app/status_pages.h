/* The status-pages resource of the API (contract section 5). */
#ifndef APP_STATUS_PAGES_H
#define APP_STATUS_PAGES_H

#include "app/exchange.h"
#include "domain/status_page.h"

extern const struct fields status_pages_query_fields;

enum result status_pages_list(struct exchange *exchange);
enum result status_pages_create(struct exchange *exchange);
enum result status_pages_show(struct exchange *exchange);
enum result status_pages_update(struct exchange *exchange);
enum result status_pages_delete(struct exchange *exchange);

/* Sets the addresses of the page and its files. */
void status_page_locate(struct exchange *exchange, struct status_page *page);
/* The page as clients read it: these fields, and the addresses of the page and its files. */
struct json_object *status_page_tree(struct exchange *exchange, struct status_page *page,
				     struct fields fields);

#endif
