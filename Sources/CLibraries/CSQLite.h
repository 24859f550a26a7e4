#ifndef STACKBENCH_CSQLITE_H
#define STACKBENCH_CSQLITE_H
#include <sqlite3.h>

/// Swift cannot call a function with variable arguments.
static inline int stackbench_sqlite3_disable_triggers(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}
#endif
