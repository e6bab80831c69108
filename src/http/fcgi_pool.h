/*
 * The pool of a FastCGI worker process: its connections, and the threads that serve them.
 * gateway_fcgi.c has the threads, fcgi_connection.c the traffic of a connection, fcgi_unfinished.c
 * the limits for incomplete requests, and fcgi_unsent.c those for unsent responses.
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
	struct fcgi_output output; /* changed only by the thread that handles the connection */
	struct buf ahead;	   /* bytes after a request */
	bool is_last;		   /* close it after the rest of its request's body */
	struct connection *next;   /* list of all connections of the process */
	struct connection *previous;
	/* The pool's lock guards the members below. */
	int64_t begun_ms;  /* start of its incomplete request */
	int64_t heard_ms;  /* last input of its incomplete request */
	size_t held_bytes; /* memory of its incomplete request */
	bool is_idle;	   /* no thread handles it */
	bool is_unfinished;
	bool is_overdue;	    /* the wait for its request has ended */
	enum result overdue_result; /* the reason, which is the response to the request */
	bool is_given_up;	    /* the web server was asked to close it */
	bool is_sending;	    /* no thread handles it; it waits until it is writable */
	bool is_cut;		    /* the wait for its reader has ended */
};

/* One thread. */
struct seat {
	void *state; /* the responder's */
	/* The pool's lock guards the members below. */
	int64_t busy_since_ms; /* 0: not busy */
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
	pthread_mutex_t lock; /* guards the members below */
	struct connection *connections;
	struct seat *seats;
	long stand_ins;
	long surplus; /* stand-ins that are no longer needed */
	long resting; /* stand-ins that wait to be called again */
	long called;  /* of those, how many are needed now */
	pthread_cond_t stand_in_called;
	pthread_cond_t stand_in_left;
};

/* Accepts a pending connection, if there is one, and waits for its input. */
void connection_accept(struct pool *pool);

/*
 * Reads available input. Serves a complete request, and then waits for the next one or closes the
 * connection: if the web server does not want to keep it, if either side has ended it, or if the
 * pool is draining. True: a request was served.
 */
bool connection_serve(struct pool *pool, struct connection *connection, struct seat *seat);

/* Lets a stand-in serve until this thread has completed its request. */
void pool_pause(struct pool *pool, struct seat *seat);

/* Marks the connection as handled by no thread; the next event gives it to one thread. */
void connection_set_idle(struct pool *pool, struct connection *connection);

/* Whether an incomplete request may hold this much memory (fcgi_input.h). */
bool connection_has_room(struct fcgi_input *input, size_t held_bytes);

/* Ends the wait for requests that make no progress. */
void connections_look_after(struct pool *pool);

/* Marks the connection as handled by no thread until it is writable. */
void connection_set_sending(struct pool *pool, struct connection *connection);

/* Closes connections of slow readers, and of the slowest while there are too many unsent
 * responses. */
void connections_limit_unsent(struct pool *pool);

/* Closes all connections with unsent output. */
void connections_cut_unsent(struct pool *pool);

/*
 * Asks the web server to close idle connections. A request that is already on its way is served.
 */
void connections_give_up(struct pool *pool);

/*
 * Stops reading from connections that remain open. Input that has arrived is still served. Includes
 * connections with incomplete requests if with_requests is set.
 */
void connections_hang_up(struct pool *pool, bool with_requests);

bool connections_are_left(struct pool *pool);

#endif
