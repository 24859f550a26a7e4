// Kills `stackbench run` before one of its calls that change the name of a file or folder: the one whose number, counted
// from the first staged folder on, is in KILL_AT. Calls inside the run's private folder do not count, since no result lies
// there. Loaded with LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int limit = 0, count = 0;

__attribute__((constructor)) static void start(void) {
  char text[4096];
  int file = open("/proc/self/cmdline", O_RDONLY);
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return;
  text[length] = 0;
  // Children inherit the library and are left alone.
  if (getenv("KILL_AT") && !strcmp(text + strlen(text) + 1, "run")) limit = atoi(getenv("KILL_AT"));
}

static int is_private(const char *path) {
  const char *folder = strstr(path, "/.stackbench-");
  return folder && folder[13] >= '0' && folder[13] <= '9' && strchr(folder + 1, '/');
}

static void pass(const char *path) {
  if (is_private(path)) return;
  if (!limit || (!count && !strstr(path, ".staged-"))) return;
  if (++count == limit) kill(getpid(), SIGKILL);
}

#define CALL(name, path, ...)                            \
  static __typeof__(name) *real;                         \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
  pass(path);                                            \
  return real(__VA_ARGS__)

int rename(const char *from, const char *to) { CALL(rename, from, from, to); }
int renameat(int one, const char *from, int two, const char *to) { CALL(renameat, from, one, from, two, to); }
int renameat2(int one, const char *from, int two, const char *to, unsigned int flags) {
  CALL(renameat2, from, one, from, two, to, flags);
}
int unlink(const char *path) { CALL(unlink, path, path); }
int unlinkat(int folder, const char *path, int flags) { CALL(unlinkat, path, folder, path, flags); }
int rmdir(const char *path) { CALL(rmdir, path, path); }
int mkdir(const char *path, mode_t mode) { CALL(mkdir, path, path, mode); }
