#ifndef STACKBENCH_CSQLITE_H
#define STACKBENCH_CSQLITE_H
#include <sqlite3.h>
#endif
