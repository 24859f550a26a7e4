#ifndef STACKBENCH_CSWIFTRUNTIME_H
#define STACKBENCH_CSWIFTRUNTIME_H
/// Retains a native Swift object unless it is already being destroyed; exported by the Swift runtime, which calls it to
/// load `weak` references. Returns the object, or null.
void *_Nullable swift_tryRetain(void *_Nonnull object);
#endif
