#ifndef STACKBENCH_CVALGRIND_H
#define STACKBENCH_CVALGRIND_H
#include <stdbool.h>
/// Starts or stops the counting of instructions on all threads if Callgrind runs the program with `--instr-atstart=no`.
/// Otherwise it does nothing. The instructions are those of `CALLGRIND_START_INSTRUMENTATION` in Valgrind's headers.
static inline void valgrindSetCounting(bool isCounting) {
  volatile unsigned long arguments[6] = {(isCounting ? 4 : 5) + ('C' << 24) + ('T' << 16)};
#if defined(__x86_64__)
  unsigned long result = 0;
  __asm__ volatile("rolq $3, %%rdi\n rolq $13, %%rdi\n rolq $61, %%rdi\n rolq $51, %%rdi\n xchgq %%rbx, %%rbx"
                   : "+d"(result)
                   : "a"(arguments)
                   : "cc", "memory");
#elif defined(__aarch64__)
  __asm__ volatile("mov x3, 0\n mov x4, %0\n"
                   "ror x12, x12, #3\n ror x12, x12, #13\n ror x12, x12, #51\n ror x12, x12, #61\n orr x10, x10, x10"
                   :
                   : "r"(arguments)
                   : "cc", "memory", "x3", "x4");
#endif
}
#endif
