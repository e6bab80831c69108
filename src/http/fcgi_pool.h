/*
 * The pool of a FastCGI worker process: its connections, and the threads that serve them.
 * gateway_fcgi.c has the threads, fcgi_connection.c what goes over a connection,
 * fcgi_unfinished.c how long a connection is waited for, and fcgi_unsent.c how long the readers
 * of answers are.
 */
#ifndef HTTP_FCGI_POOL_H
#define HTTP_FCGI_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "http/fcgi_input.h"
#include "http/fcgi_output.h"
#include "http/gateway.h"

struct pool;

struct connection {
	int fd;
	struct pool *pool;
	struct fcgi_input input;
	struct fcgi_output output; /* changed only by the thread that has it */
	struct buf ahead;	   /* bytes that came behind a request */
	bool is_last;		   /* it is closed behind what is left of its request's body */
	struct connection *next;   /* all of the process */
	struct connection *previous;
	/* What follows is guarded by the pool's lock. */
	int64_t begun_ms;  /* when its unfinished request began */
	int64_t heard_ms;  /* when some of that came last */
	size_t held_bytes; /* the memory that its unfinished request counts as */
	bool is_idle;	   /* no thread has it */
	bool is_unfinished;
	bool is_overdue;	    /* its request is not waited for any more */
	enum result overdue_result; /* why: the response to the request */
	bool is_given_up;	    /* the web server has been told */
	bool is_sending; /* no thread has it: it waits until more of its response can be sent */
	bool is_cut;	 /* that is not waited for any more */
};

/* One for each thread. */
struct seat {
	int64_t busy_since_ms; /* 0: it is not */
	bool is_stood_in_for;
	struct seat *next;
	struct seat *previous;
};

struct pool {
	int listen_fd;
	int epoll_fd;
	int wake_fd; /* readable once the pool is draining */
	const struct responder *responder;
	const struct fcgi_limits *limits;
	atomic_bool is_draining;
	int64_t draining_since_ms; /* set before is_draining */
	atomic_long served;
	pthread_mutex_t lock; /* guards what follows */
	struct connection *connections;
	struct seat *seats;
	long stand_ins;
	long surplus; /* how many of them are not needed any more */
	pthread_cond_t stand_in_left;
};

/* Takes a connection from the listening socket, if there is one, and waits for what it says. */
void connection_accept(struct pool *pool);

/*
 * Reads what has come on it. Once a request is whole, serves it, and waits for the next or
 * closes the connection: when the web server did not want it kept, when either side is done
 * with it, or when the pool is draining. True when a request was served.
 */
bool connection_serve(struct pool *pool, struct connection *connection, void *state);

/* No thread has it; whoever is told of what it says next has it to itself. */
void connection_set_idle(struct pool *pool, struct connection *connection);

/* Whether an unfinished request may hold so much (fcgi_input.h). */
bool connection_has_room(struct fcgi_input *input, size_t held_bytes);

/* Ends the wait for requests of which nothing more comes. */
void connections_look_after(struct pool *pool);

/* No thread has it, until more of its response can be sent. */
void connection_set_sending(struct pool *pool, struct connection *connection);

/* Cuts off readers that are too slow, and the slowest while too many answers wait. */
void connections_limit_unsent(struct pool *pool);

/* Cuts off all that have not taken their answer whole. */
void connections_cut_unsent(struct pool *pool);

/*
 * Asks the web server to close the connections on which nothing is going on. One that it is
 * just about to use is not harmed: its request is served.
 */
void connections_give_up(struct pool *pool);

/*
 * For those that will not: what they have sent is still served, more they cannot send.
 * Unfinished requests are among them if `with_requests`.
 */
void connections_hang_up(struct pool *pool, bool with_requests);

bool connections_are_left(struct pool *pool);

#endif
