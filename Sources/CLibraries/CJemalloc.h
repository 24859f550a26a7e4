#ifndef STACKBENCH_CJEMALLOC_H
#define STACKBENCH_CJEMALLOC_H
#include <jemalloc/jemalloc.h>
#endif
