/* Compiler attributes and two macros for all layers. */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#define MUST_USE			__attribute__((warn_unused_result))
#define PRINTF_LIKE(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#define NORETURN			__attribute__((noreturn))

/* Calls function(&variable) when the variable goes out of scope. */
#define CLEANUP(function) __attribute__((cleanup(function)))

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the struct whose member `member` is at `pointer`. */
#define CONTAINER_OF(pointer, type, member) \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))

#endif
