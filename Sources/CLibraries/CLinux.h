#ifndef STACKBENCH_CLINUX_H
#define STACKBENCH_CLINUX_H
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <ucontext.h>
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
/// Returns the address of a pointer that each thread has for itself, which is null in a new thread. Each object file that
/// calls this has another pointer. Swift has no variables of threads, and `pthread_getspecific` takes ten times as long.
static inline void *_Nullable *_Nonnull stackbench_thread_pointer(void) {
  static __thread void *pointer __attribute__((tls_model("initial-exec")));
  return &pointer;
}
/// A place at which a flow of control goes on, on a stack of its own.
struct stackbench_context {
  ucontext_t beginning;
  jmp_buf place;
  bool has_begun;
  void *_Nullable fiber;
  const void *_Nullable stack;
  size_t size;
  void *_Nullable fake_stack;
  /// The context from which control came last, for the address sanitizer.
  struct stackbench_context *_Nullable previous;
};
/// Functions of the thread sanitizer that report a change of stacks. They exist only if the program is built with it.
void *_Nullable __tsan_get_current_fiber(void) __attribute__((weak));
void *_Nullable __tsan_create_fiber(unsigned int flags) __attribute__((weak));
void __tsan_destroy_fiber(void *_Nullable fiber) __attribute__((weak));
void __tsan_switch_to_fiber(void *_Nullable fiber, unsigned int flags) __attribute__((weak));
/// Functions of the address sanitizer that report the beginning and the end of a change of stacks.
void __sanitizer_start_switch_fiber(
  void *_Nullable *_Nullable saved, const void *_Nullable stack, size_t size) __attribute__((weak));
void __sanitizer_finish_switch_fiber(
  void *_Nullable saved, const void *_Nullable *_Nullable oldStack, size_t *_Nullable oldSize) __attribute__((weak));
/// Initialises the context of the calling thread, which has begun.
static inline void stackbench_context_of_thread(struct stackbench_context *_Nonnull context) {
  context->has_begun = true;
  context->fiber = __tsan_get_current_fiber ? __tsan_get_current_fiber() : 0;
}
/// Initialises a context that begins with a call of a function on a stack. The function gets the two halves of the
/// argument, and must not return. Swift can call neither functions that may return twice nor those with variable arguments.
static inline void stackbench_context_with_stack(
  struct stackbench_context *_Nonnull context, void *_Nonnull stack, size_t size,
  void (*_Nonnull function)(uint32_t low, uint32_t high), uint64_t argument) {
  getcontext(&context->beginning);
  context->beginning.uc_stack.ss_sp = stack;
  context->beginning.uc_stack.ss_size = size;
  makecontext(
    &context->beginning, (void (*)(void))function, 2, (uint32_t)argument, (uint32_t)(argument >> 32));
  context->stack = stack;
  context->size = size;
  context->has_begun = false;
  context->fiber = __tsan_create_fiber ? __tsan_create_fiber(0) : 0;
}
static inline void stackbench_context_destroy(struct stackbench_context *_Nonnull context) {
  if (__tsan_destroy_fiber && context->fiber) __tsan_destroy_fiber(context->fiber);
}
/// Reports to the address sanitizer that control has arrived at a context. The function of a context calls it first.
static inline void stackbench_context_arrive(struct stackbench_context *_Nonnull context) {
  if (!__sanitizer_finish_switch_fiber) return;
  // The stack of a thread is known only from here.
  __sanitizer_finish_switch_fiber(context->fake_stack, &context->previous->stack, &context->previous->size);
}
/// Goes on at another context, and returns when something goes on at this one. Unlike `swapcontext`, which the thread
/// sanitizer needs, it calls the system only when a context begins.
__attribute__((noinline)) static void stackbench_context_switch(
  struct stackbench_context *_Nonnull from, struct stackbench_context *_Nonnull to) {
  if (__sanitizer_start_switch_fiber) {
    to->previous = from;
    // A context that has ended keeps nothing.
    __sanitizer_start_switch_fiber(from->has_begun ? &from->fake_stack : 0, to->stack, to->size);
  }
  if (__tsan_switch_to_fiber) {
    __tsan_switch_to_fiber(to->fiber, 0);
    swapcontext(&from->beginning, &to->beginning);
  } else if (_setjmp(from->place) == 0) {
    if (to->has_begun) _longjmp(to->place, 1);
    to->has_begun = true;
    setcontext(&to->beginning);
  }
  stackbench_context_arrive(from);
}
/// Goes on at another context for the last time.
static inline void stackbench_context_end(
  struct stackbench_context *_Nonnull ended, struct stackbench_context *_Nonnull next) {
  ended->has_begun = false;
  stackbench_context_switch(ended, next);
}
#endif
