/*
 * The pool of a FastCGI worker process: its connections, and the threads that serve
 * them. gateway_fcgi.c has the threads, fcgi_connection.c what goes over a connection;
 * no other file includes this, nor knows libfcgi.
 */
#ifndef HTTP_FCGI_POOL_H
#define HTTP_FCGI_POOL_H

#include <fcgiapp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "http/gateway.h"

struct connection {
	FCGX_Request request;
	struct connection *next; /* all of the process */
	struct connection *previous;
	int64_t body_since_ms; /* when its request's body was first asked for; 0: not yet */
	bool is_waiting;       /* its thread waits for more of it */
	bool is_stood_in_for;  /* until the request is served */
	bool is_idle;	       /* no thread has it */
	bool is_given_up;      /* the web server has been told */
};

struct pool {
	int listen_fd;
	int epoll_fd;
	int wake_fd; /* readable once the pool is draining */
	const struct responder *responder;
	const struct fcgi_limits *limits;
	atomic_bool is_draining;
	int64_t patience_ends_ms; /* set before is_draining */
	atomic_long served;
	pthread_mutex_t lock; /* guards what follows, and what connections have but a request */
	struct connection *connections;
	long stand_ins;
	long surplus; /* how many of them are not needed any more */
	pthread_cond_t stand_in_left;
};

/* Takes a connection from the listening socket, if there is one, and waits for what it says. */
void connection_accept(struct pool *pool);

/*
 * Serves the request that has come on it, and waits for the next, or closes it: when the
 * web server did not want it kept, when either side is done with it, or when the pool is
 * draining.
 */
void connection_serve(struct pool *pool, struct connection *connection, void *state);

/*
 * Asks the web server to close the connections on which nothing is going on. One that it
 * is just about to use is not harmed: its request is served.
 */
void connections_give_up(struct pool *pool);

/* For those that will not: what they have sent is still served, more they cannot send. */
void connections_hang_up(struct pool *pool);

bool connections_are_left(struct pool *pool);

#endif
