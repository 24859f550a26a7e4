#ifndef STACKBENCH_CRESOURCES_H
#define STACKBENCH_CRESOURCES_H
/// Returns the text of a file that `resources.c` puts into the program, which stands alone. The process stops if there
/// is no such file.
const char *_Nonnull resource(const char *_Nonnull name);
#endif
