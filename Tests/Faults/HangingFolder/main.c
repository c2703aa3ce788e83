// hanging-folder FOLDER PROGRAM [ARGUMENT...]
//
// Runs a program for which a folder is on a disk that does not respond: a FUSE file system whose
// server never answers. Calls for the folder block until their process is killed.

#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

static void map(const char *file, unsigned number) {
  char line[32];
  int length = snprintf(line, sizeof line, "%u %u 1", number, number);
  int map = open(file, O_WRONLY | O_CLOEXEC);
  if (map >= 0 && write(map, line, (size_t)length) != length) perror(file);
  close(map);
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  unsigned user = geteuid(), group = getegid();
  // Anyone but root may mount only in a user namespace.
  if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return 3;
  if (user != 0) {
    int groups = open("/proc/self/setgroups", O_WRONLY | O_CLOEXEC);
    if (groups >= 0 && write(groups, "deny", 4) != 4) perror("setgroups");
    close(groups);
    map("/proc/self/uid_map", user);
    map("/proc/self/gid_map", group);
  }
  int device = open("/dev/fuse", O_RDWR);
  char options[99];
  snprintf(
      options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u", device, user, group);
  if (device < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
      || mount("hanging", arguments[1], "fuse", MS_NOSUID | MS_NODEV, options) != 0)
    return 3;
  pid_t parent = getpid();
  if (fork() == 0) {
    // Keeps the server's end open until the program ends.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int file = 0; file < 3; file++) close(file);
    setsid();
    while (getppid() == parent) pause();
    _exit(0);
  }
  close(device);
  execvp(arguments[2], arguments + 2);
  return 127;
}
