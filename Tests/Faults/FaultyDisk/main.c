// faulty-disk SOCKET STORE DISK [STORE DISK]... -- PROGRAM [ARGUMENT...]
//
// Runs a program for which each folder DISK shows the files of the folder STORE, on a disk of its own.
// A message to SOCKET tells the disks what to do from now on, and is answered with a number:
//
//   ACTION KIND SKIP COUNT [SUFFIX]   after SKIP requests of a kind about names with this end, the next
//                                     COUNT (0: all) hang, are dead (not even killed processes end),
//                                     delay=MILLISECONDS, short=BYTES, fail with EIO, ESTALE, ENOSPC,
//                                     EDQUOT or EROFS, or stop everything; kinds are any, change, lookup,
//                                     status, open, read, list, create, remove, rename, write, sync, ...
//   nocase                            names are found whatever their case
//   clear                             all rules end, and what hangs is done
//   held, stopped, count KIND         how many requests hang, whether everything stands, how many there were
//   disconnect                        the disks are gone, as when a cable is pulled
//   cut SEED                          the same, and what was not flushed is lost: a random part of it
//   sync                              all changes so far are flushed
//
// Other programs see the disks by `nsenter --mount --target PROCESS`.

#define _GNU_SOURCE
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int fail(const char *what) {
  fprintf(stderr, "faulty-disk: %s: %s\n", what, strerror(errno));
  return 3;
}

static bool mountDisk(const char *store, const char *folder) {
  struct disk *disk = &disks[diskCount++];
  char options[99], kept[4096];
  disk->device = open("/dev/fuse", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  snprintf(
      options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u,default_permissions,allow_other",
      disk->device, geteuid(), getegid());
  disk->root = (struct node){ .file = open(store, O_PATH | O_DIRECTORY | O_CLOEXEC), .lookups = 1 };
  struct stat status;
  if (disk->root.file < 0 || fstat(disk->root.file, &status) != 0) return false;
  disk->root.device = status.st_dev;
  disk->root.inode = status.st_ino;
  snprintf(kept, sizeof kept, "%s.kept", store);
  if (mkdir(kept, 0700) != 0 && errno != EEXIST) return false;
  disk->kept = open(kept, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return disk->device >= 0 && mount("faulty", folder, "fuse", MS_NOSUID | MS_NODEV, options) == 0;
}

static int listenAt(const char *path) {
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  unlink(path);
  int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) return -1;
  return listener;
}

// Reads a request of the kernel, and serves it; false once the disk is unmounted.
static bool take(struct disk *disk) {
  struct request *request = calloc(1, sizeof *request + maxRequestLength);
  ssize_t length = read(disk->device, request->bytes, maxRequestLength);
  if (length < 0) {
    free(request);
    return errno == EINTR || errno == EAGAIN || errno == ENOENT;
  }
  request->disk = disk;
  request->length = (size_t)length;
  serve(request);
  return true;
}

static void run(int listener, pid_t program) {
  enum { maxClients = 8 };
  int clients[maxClients];
  unsigned clientCount = 0;
  while (getppid() == program) {
    int timeout = isStopped ? 50 : release(false);
    struct pollfd polls[maxDisks + 1 + maxClients];
    for (unsigned index = 0; index < diskCount; index++)
      polls[index] = (struct pollfd){ isStopped ? -1 : disks[index].device, POLLIN, 0 };
    polls[diskCount] = (struct pollfd){ clientCount < maxClients ? listener : -1, POLLIN, 0 };
    struct pollfd *talk = polls + diskCount + 1;
    for (unsigned index = 0; index < clientCount; index++)
      talk[index] = (struct pollfd){ clients[index], POLLIN, 0 };
    if (poll(polls, diskCount + 1 + clientCount, timeout < 0 ? 200 : timeout) < 0) continue;
    for (unsigned index = clientCount; index-- > 0;) {
      if (!talk[index].revents) continue;
      char command[600], answer[600];
      ssize_t length = recv(clients[index], command, sizeof command - 1, 0);
      if (length <= 0) {
        close(clients[index]);
        clients[index] = clients[--clientCount];
        continue;
      }
      command[length] = 0;
      obey(command, answer, sizeof answer);
      send(clients[index], answer, strlen(answer), MSG_NOSIGNAL);
    }
    if (polls[diskCount].revents) clients[clientCount++] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    for (unsigned index = 0; index < diskCount; index++)
      if (polls[index].revents && disks[index].device >= 0 && !isStopped && !take(&disks[index])) {
        close(disks[index].device);
        disks[index].device = -1;
      }
  }
}

int main(int count, char **arguments) {
  int index = 2;
  if (count < 6) return 2;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
    return fail("mounting");
  for (; index + 1 < count && strcmp(arguments[index], "--") != 0; index += 2)
    if (diskCount == maxDisks || !mountDisk(arguments[index], arguments[index + 1]))
      return fail(arguments[index + 1]);
  if (index + 1 >= count) return 2;
  int listener = listenAt(arguments[1]);
  if (listener < 0) return fail(arguments[1]);
  pid_t program = getpid();
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){ files.rlim_max, files.rlim_max });
    umask(0);
    for (int file = 0; file < 3; file++) close(file);
    open("/dev/null", O_RDWR);
    dup(0);
    dup(0);
    setsid();
    run(listener, program);
    forgetLosses();
    _exit(0);
  }
  execvp(arguments[index + 1], arguments + index + 1);
  return fail(arguments[index + 1]);
}
