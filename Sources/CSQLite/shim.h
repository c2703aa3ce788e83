#include <sqlite3.h>

// Swift imports neither macros that cast nor functions with variable arguments.

static inline int photogrid_sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int photogrid_sqlite_make_defensive(sqlite3 *database) {
  int result = 0;
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, &result);
}
