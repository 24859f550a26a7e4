// Empties the write-ahead log of a process that kills itself, right before it dies, as a disk does that confirms what it
// has not written. The store then lacks the commits that SQLite had confirmed. Loaded with LD_PRELOAD by
// `.ci/kills --plant`.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int kill(pid_t process, int number) {
  int (*real)(pid_t, int) = (int (*)(pid_t, int))dlsym(RTLD_NEXT, "kill");
  DIR *files = process == getpid() && number == SIGKILL ? opendir("/proc/self/fd") : NULL;
  if (!files) return real(process, number);
  for (struct dirent *file; (file = readdir(files));) {
    char link[sizeof "/proc/self/fd/" + NAME_MAX], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%s", file->d_name);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) continue;
    path[length] = 0;
    if (length > 4 && !strcmp(path + length - 4, "-wal") && ftruncate(atoi(file->d_name), 0)) perror(path);
  }
  return real(process, number);
}
