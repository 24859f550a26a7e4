#ifndef STACKBENCH_CSWIFTRUNTIME_H
#define STACKBENCH_CSWIFTRUNTIME_H
#include <stdbool.h>
/// Retains a native Swift object unless it is already being destroyed; exported by the Swift runtime, which calls it to
/// load `weak` references. Returns the object, or null.
void *_Nullable swift_tryRetain(void *_Nonnull object);
/// Whether nobody has a second strong reference to a native Swift object; what the runtime asks before it writes into a
/// buffer in place.
bool swift_isUniquelyReferenced_nonNull_native(const void *_Nonnull object);
#endif
