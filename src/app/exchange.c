#include "app/exchange.h"

#include "wire/limits.h"

void exchange_init(struct exchange *exchange, struct exchange_worker *worker,
		   struct gateway *gateway)
{
	*exchange = (struct exchange){
		.config = worker->config,
		.site = worker->site,
		.db = worker->db,
		.throttle = &worker->throttle,
		.gateway = gateway,
		.now = clock_now(),
		.queries_before = db_queries(worker->db),
	};
	arena_init(&exchange->arena, WIRE_ARENA_MAX_BYTES);
	arena_lend(&exchange->arena, &worker->spare_chunks);
	exchange->arena.beside_bytes = gateway->body_bytes;
	violations_init(&exchange->violations, &exchange->arena);
	response_init(&exchange->response, &exchange->arena);
	buf_start(&exchange->response.body, &worker->spare_body);
}

void exchange_done(struct exchange *exchange, struct exchange_worker *worker)
{
	buf_leave(&exchange->response.body, &worker->spare_body);
	response_done(&exchange->response);
	arena_done(&exchange->arena);
}
