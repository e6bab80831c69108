/* Marks for trees, shared by the files that build and print them. A mark needs no memory. */
#ifndef WIRE_JSON_MARKS_H
#define WIRE_JSON_MARKS_H

/* User data of a json-c object, by address: the tree is incomplete; the string is JSON text. */
extern char json_lacking, json_printed;

#endif
