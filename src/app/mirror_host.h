/* The requests of an origin to its mirror (mirror/protocol.h), and the state of the mirror. */
#ifndef APP_MIRROR_HOST_H
#define APP_MIRROR_HOST_H

#include "app/exchange.h"

/* GET /readyz: 200 with the mirror's age, or 503 while the mirror cannot replace its origin: the
 * origin has never said that the mirror has everything, or the signing key is missing. */
enum result mirror_host_ready(struct exchange *exchange);

enum result mirror_host_list(struct exchange *exchange);
enum result mirror_host_pages(struct exchange *exchange);
enum result mirror_host_files(struct exchange *exchange);
enum result mirror_host_shared_list(struct exchange *exchange);
enum result mirror_host_shared(struct exchange *exchange);
enum result mirror_host_origin(struct exchange *exchange);
enum result mirror_host_beat(struct exchange *exchange);

/* The response to requests that only an origin can serve. */
enum result mirror_host_refuse(struct exchange *exchange);

#endif
