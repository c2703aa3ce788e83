// kill-at-call KILLED START NUMBER PROGRAM [ARGUMENT...]
//
// Runs a program and kills it at a system call. NUMBER counts from 1, at the beginning and at the
// end of each call, from when the file START exists.
//
// If START is "-", counting starts with the first read from standard input, and only calls count that
// may change a file or send something. Other calls are let pass: killed there, a program leaves the
// same as at the next one that counts, and there are many. The program must start no thread and no
// other program then: the filter holds in them too, and without a tracer these calls fail.
//
// The file KILLED is created when the program is killed; if it already exists, the program just runs.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Calls that change nothing that outlives the process, and send nothing.
static const int harmless[] = {
  SYS_pread64, SYS_lseek, SYS_close, SYS_getdents64, SYS_fstat, SYS_newfstatat, SYS_statx,
  SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd, SYS_mmap,
  SYS_munmap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_futex, SYS_ppoll, SYS_rt_sigaction,
  SYS_rt_sigprocmask, SYS_clock_gettime, SYS_clock_nanosleep, SYS_gettimeofday, SYS_getpid,
  SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getrandom, SYS_prlimit64, SYS_sched_getaffinity,
  SYS_set_robust_list,
#ifdef SYS_open
  SYS_access, SYS_readlink, SYS_stat, SYS_lstat, SYS_poll,
#endif
};

// Makes this process stop at the calls that count, and at reads from standard input.
static int stop_at_calls(void) {
  enum { count = sizeof harmless / sizeof *harmless };
  struct sock_filter filter[count + 9], *next = filter;
  struct sock_filter pass = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_filter stop = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
#define LOAD(member) \
  (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define UNLESS(test, value, skipped) \
  (struct sock_filter) BPF_JUMP(BPF_JMP | (test) | BPF_K, (value), 0, (skipped))
#define IF(test, value, skipped) \
  (struct sock_filter) BPF_JUMP(BPF_JMP | (test) | BPF_K, (value), (skipped), 0)
  *next++ = LOAD(nr);
  // To the end of the list, which lets the call pass.
  for (int index = 0; index < count; index++) {
    *next++ = IF(BPF_JEQ, (unsigned)harmless[index], (unsigned char)(count - index + 6));
  }
  *next++ = UNLESS(BPF_JEQ, SYS_read, 2);
  *next++ = LOAD(args[0]);
  *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 4);
  *next++ = UNLESS(BPF_JEQ, SYS_openat, 2);
  *next++ = LOAD(args[2]);
  *next++ = UNLESS(BPF_JSET, O_CREAT | O_TRUNC, 1);
  *next++ = stop;
  *next++ = pass;
  struct sock_fprog program = {(unsigned short)(next - filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// Whether a process that is stopped at the beginning of a call reads its standard input.
static int reads_input(pid_t process) {
  struct __ptrace_syscall_info call;
  memset(&call, 0, sizeof call);
  return ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof call, &call) > 0
         && call.seccomp.nr == SYS_read;
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
  int is_filtered = strcmp(start, "-") == 0;
  if (access(killed, F_OK) == 0) {
    execv(arguments[4], arguments + 4);
    return 127;
  }
  pid_t process = fork();
  if (process == 0) {
    // As PTRACE_O_EXITKILL, but from here on: without its tracer, no call succeeds.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    if (!is_filtered || stop_at_calls() == 0) execv(arguments[4], arguments + 4);
    _exit(127);
  }
  // The other end of a socket there must notice when the program ends.
  close(0);
  int status = 0, is_counting = 0, is_in_call = 0, signal_to_pass = 0;
  if (waitpid(process, &status, 0) < 0) return 1;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
  ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)options);
  while (1) {
    int until = is_filtered && !is_in_call ? PTRACE_CONT : PTRACE_SYSCALL;
    ptrace(until, process, NULL, (void *)(long)signal_to_pass);
    signal_to_pass = 0;
    if (waitpid(process, &status, 0) < 0) return 1;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
      int reads = reads_input(process);
      if (reads) is_counting = 1;
      if (reads || !is_counting) continue;
      is_in_call = 1;
    } else if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
      is_in_call = 0;
      if (!is_filtered && !is_counting) is_counting = access(start, F_OK) == 0;
      if (!is_counting) continue;
    } else {
      // The stop at the beginning of the new program is not a signal.
      signal_to_pass = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
      continue;
    }
    if (--number == 0) kill_and_leave(process, killed);
  }
}
