#ifndef STACKBENCH_CLINUX_H
#define STACKBENCH_CLINUX_H
#include <stddef.h>
#include <sys/types.h>
/// Renames a file or folder; with `STACKBENCH_RENAME_EXCHANGE` the two names change places in one step. In the C library,
/// whose header declares it for GNU sources only.
int renameat2(int oldFolder, const char *_Nonnull oldPath, int newFolder, const char *_Nonnull newPath, unsigned int flags);
/// Returns the first place at which bytes stand among others, or NULL. In the C library, whose header declares it for GNU
/// sources only.
void *_Nullable memmem(const void *_Nonnull bytes, size_t count, const void *_Nonnull pattern, size_t patternCount);
/// Copies bytes from one file to another inside the kernel, as a reflink if the file system can. In the C library, whose
/// header declares it for GNU sources only.
ssize_t copy_file_range(
  int source, long *_Nullable sourceOffset, int target, long *_Nullable targetOffset, size_t count, unsigned int flags);
/// Makes a file without a name, in memory. In the C library, whose header declares it for GNU sources only.
int memfd_create(const char *_Nonnull name, unsigned int flags);
enum {
  STACKBENCH_MFD_CLOEXEC = 1,
};
enum {
  /// Sets a lock that belongs to an open file and not to a process. For GNU sources only.
  STACKBENCH_F_OFD_SETLK = 37,
};
enum {
  STACKBENCH_RENAME_NOREPLACE = 1,
  STACKBENCH_RENAME_EXCHANGE = 2,
};
#endif
