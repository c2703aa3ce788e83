#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// The guard: a process that restores the terminal if the program is killed, which no handler notices.
//
// It is a fork of the program that only waits at a pipe, whose other end closes with the program. It
// calls nothing but functions that a signal handler may call, by addresses that are known before it
// begins: finding them would need memory that it has given back.

static pid_t guard;
static int guard_pipe = -1;

static struct {
  int (*poll)(struct pollfd *, nfds_t, int);
  ssize_t (*read)(int, void *, size_t);
  ssize_t (*write)(int, const void *, size_t);
  int (*get_attributes)(int, struct termios *);
  int (*set_attributes)(int, int, const struct termios *);
  int (*flush)(int, int);
  int (*advise)(void *, size_t, int);
  void (*exit)(int);
} volatile const calls = {poll, read, write, tcgetattr, tcsetattr, tcflush, madvise, _exit};

void write_bounded(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = calls.write(fd, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      struct pollfd ready = {.fd = fd, .events = POLLOUT};
      if (calls.poll(&ready, 1, 200) > 0 && (ready.revents & POLLOUT)) continue;
    }
    return;
  }
}

// Gives back the memory that the program has allocated, which would become the guard's own as soon as
// the program writes to it.
//
// Only the heap and blocks that nothing but an allocation can be as large as: the C library has data
// in smaller ones.
static void release_memory(void) {
  enum { smallest = 1 << 20, line_size = 512, most = 64 };
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  char line[line_size];
  size_t length = 0;
  uintptr_t blocks[most][2];
  int count = 0;
  char byte;
  // A byte at a time: the file is short, and read once.
  while (count < most && read(maps, &byte, 1) == 1) {
    if (byte != '\n') {
      if (length < line_size - 1) line[length++] = byte;
      continue;
    }
    line[length] = 0;
    length = 0;
    // START-END rw-p 00000000 00:00 0, and a name if it is a file, the stack, or the heap.
    uintptr_t ends[2] = {0, 0};
    const char *at = line;
    for (int end = 0; end < 2; end++, at++) {
      for (; *at && *at != '-' && *at != ' '; at++)
        ends[end] = ends[end] * 16 + (uintptr_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
      if (!*at) break;
    }
    if (strncmp(at, "rw-p 00000000 00:00 ", 20) != 0) continue;
    const char *name = strrchr(line, ' ') + 1;
    int is_allocated = *name == 0 || strcmp(name, "0") == 0;
    uintptr_t own = (uintptr_t)&errno;
    if (own >= ends[0] && own < ends[1]) continue;
    if (strcmp(name, "[heap]") != 0 && !(is_allocated && ends[1] - ends[0] >= smallest)) continue;
    blocks[count][0] = ends[0];
    blocks[count++][1] = ends[1];
  }
  close(maps);
  for (int block = 0; block < count; block++)
    calls.advise((void *)blocks[block][0], blocks[block][1] - blocks[block][0], MADV_DONTNEED);
}

// Waits for the program's end at standard input; standard output is the terminal.
static void watch(const struct restoration *restoration, int features) {
  struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = 1}};
  while (1) {
    // All signals that could interrupt it are blocked.
    if (calls.poll(ends, 2, -1) < 0 || ends[1].revents) return; // The terminal was closed.
    char state;
    if (calls.read(0, &state, 1) <= 0) break;
    features = state;
  }
  if (!features) return;
  // The shell may have set what it needs already.
  struct termios now;
  if (calls.get_attributes(1, &now) == 0 && now.c_lflag == restoration->raw.c_lflag
      && now.c_iflag == restoration->raw.c_iflag && now.c_oflag == restoration->raw.c_oflag)
    calls.set_attributes(1, TCSANOW, &restoration->saved);
  calls.flush(1, TCOFLUSH);
  restoration->write_teardown(1, features);
}

int guard_start(const struct restoration *restoration, int features) {
  if (guard_pipe >= 0) return EBUSY;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  // No handler of the program may run in the guard.
  sigset_t all, kept;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &kept);
  guard = fork();
  if (guard == 0) {
    struct restoration own = *restoration;
    // Not even those of a crash, which could not end it then.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    // In a session of its own, signals to the program's job do not reach it, and it may change the
    // terminal's settings though the shell has the terminal.
    setsid();
    prctl(PR_SET_NAME, "photogrid-guard");
    // First to numbers that neither of them has.
    int input = fcntl(ends[0], F_DUPFD, 3);
    int output = fcntl(own.terminal, F_DUPFD, 3);
    if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0) _exit(1);
    dup2(1, 2);
    if (close_range(3, ~0u, 0) != 0) _exit(1);
    release_memory();
    watch(&own, features);
    calls.exit(0);
  }
  int code = guard < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &kept, NULL);
  close(ends[0]);
  if (code != 0) {
    close(ends[1]);
    return code;
  }
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  guard_pipe = ends[1];
  return 0;
}

void guard_tell(int features) {
  if (guard_pipe < 0) return;
  char state = (char)features;
  ssize_t ignored = write(guard_pipe, &state, 1);
  (void)ignored;
}

void guard_end(void) {
  if (guard_pipe < 0) return;
  // Before the pipe is closed, which would tell it that the program was killed.
  kill(guard, SIGKILL);
  close(guard_pipe);
  guard_pipe = -1;
  while (waitpid(guard, NULL, 0) < 0 && errno == EINTR) continue;
}
