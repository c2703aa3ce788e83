// kill-at-call KILLED START NUMBER PROGRAM [ARGUMENT...]
//
// Runs a program and kills it at a system call. NUMBER counts from 1, at the beginning and at the
// end of each call. Counting starts when the file START exists or, if START is "-", with the first
// read from standard input. The file KILLED is created when the program is killed; if it already
// exists, the program just runs.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Whether a stopped process is about to read from its standard input.
static int reads_input(pid_t process) {
  struct __ptrace_syscall_info call;
  memset(&call, 0, sizeof call);
  long size = ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof call, &call);
  return size > 0 && call.op == PTRACE_SYSCALL_INFO_ENTRY && call.entry.nr == SYS_read
         && call.entry.args[0] == 0;
}

static void kill_and_leave(pid_t process, const char *killed) {
  // This comes first, since whoever waits for the end of the process may start this program again
  // at once.
  close(open(killed, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
  exit(137);
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  const char *killed = arguments[1], *start = arguments[2];
  long number = atol(arguments[3]);
  if (access(killed, F_OK) == 0) {
    execv(arguments[4], arguments + 4);
    return 127;
  }
  pid_t process = fork();
  if (process == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    execv(arguments[4], arguments + 4);
    _exit(127);
  }
  // The other end of a socket there must notice when the program ends.
  close(0);
  int status = 0, is_counting = 0;
  if (waitpid(process, &status, 0) < 0) return 1;
  ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
  long signal_to_pass = 0;
  while (1) {
    ptrace(PTRACE_SYSCALL, process, NULL, (void *)signal_to_pass);
    signal_to_pass = 0;
    if (waitpid(process, &status, 0) < 0) return 1;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    int reason = WSTOPSIG(status);
    if (reason != (SIGTRAP | 0x80)) {
      // The stop at the beginning of the new program is not a signal.
      signal_to_pass = reason == SIGTRAP ? 0 : reason;
      continue;
    }
    if (!is_counting) {
      is_counting = strcmp(start, "-") == 0 ? reads_input(process) : access(start, F_OK) == 0;
    }
    if (is_counting && --number == 0) kill_and_leave(process, killed);
  }
}
