#ifndef STACKBENCH_CLINUX_H
#define STACKBENCH_CLINUX_H
#include <stddef.h>
/// Renames a file or folder; with `STACKBENCH_RENAME_EXCHANGE` the two names change places in one step. In the C library,
/// whose header declares it for GNU sources only.
int renameat2(int oldFolder, const char *_Nonnull oldPath, int newFolder, const char *_Nonnull newPath, unsigned int flags);
/// Returns the first place at which bytes stand among others, or NULL. In the C library, whose header declares it for GNU
/// sources only.
void *_Nullable memmem(const void *_Nonnull bytes, size_t count, const void *_Nonnull pattern, size_t patternCount);
enum {
  STACKBENCH_RENAME_NOREPLACE = 1,
  STACKBENCH_RENAME_EXCHANGE = 2,
};
#endif
