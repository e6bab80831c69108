/* A request for a file of a page. Only page_files.c and page_own_files.c include this header. */
#ifndef APP_PAGE_PAGE_FILES_PARTS_H
#define APP_PAGE_PAGE_FILES_PARTS_H

#include <sys/stat.h>

#include "app/page/page_admission.h"
#include "app/page/page_files.h"

/* The requested file, and the file that was found. */
struct page_view {
	const char *slug;
	const char *name;
	const char *file; /* the file to send for `name`; NULL: `name` itself */
	struct pages_reader reader;
	struct page_visit visit; /* used only if the page is not public */
	const char *token;	 /* the token in the addresses of the page's files; NULL: none */
	bool is_public;
	bool is_noindex;
	int fd; /* -1: no file for this visitor */
	struct stat status;
	off_t from; /* offset of the bytes to send */
	size_t len; /* number of bytes to send */
};

void page_view_close(struct page_view *view);
enum result page_view_open_in(struct exchange *exchange, struct page_view *view,
			      enum pages_place place) MUST_USE;
/* Opens a file of a page that is not public, if the visitor is admitted. */
enum result page_view_open_admitted(struct exchange *exchange, struct page_view *view) MUST_USE;
/* Reads the status of the open file. */
void page_view_finish(struct page_view *view);
enum result page_view_send(struct exchange *exchange, struct page_view *view) MUST_USE;
/* Responds if the file does not exist, or the visitor is not admitted. */
enum result page_view_send_nothing(struct exchange *exchange, struct page_view *view) MUST_USE;
void page_view_go_to_page(struct exchange *exchange, const char *slug);
void page_view_set_public_headers(struct exchange *exchange, const struct page_view *view);

#endif
