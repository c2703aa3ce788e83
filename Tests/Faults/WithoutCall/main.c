// without-call CALL[:EXDEV] PROGRAM [ARGUMENT...]
//
// Runs a program as on a system without Landlock, without filters of system calls, without inotify, as
// when other programs have used up its instances (folders are then polled), or on disks without locks,
// links, owners, permissions, attributes, times, or copies within the kernel. With ":EXDEV" the call is
// there, but fails as between two disks.

#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Alike on all architectures.
enum { landlock_create_ruleset = 444 };

static const struct { const char *name; unsigned number; } calls[] = {
  { "landlock", landlock_create_ruleset }, { "seccomp", SYS_seccomp }, { "inotify", SYS_inotify_init1 },
  { "flock", SYS_flock }, { "linkat", SYS_linkat }, { "fchown", SYS_fchown }, { "fchmod", SYS_fchmod },
  { "fsetxattr", SYS_fsetxattr }, { "utimensat", SYS_utimensat },
  { "copy_file_range", SYS_copy_file_range }, { "renameat2", SYS_renameat2 },
#ifdef SYS_renameat
  { "renameat", SYS_renameat },
#endif
};

int main(int count, char **arguments) {
  if (count < 3) return 2;
  unsigned missing = 0, index = 0, error = ENOSYS;
  char *kind = strchr(arguments[1], ':');
  if (kind) {
    *kind = 0;
    error = EXDEV;
  }
  while (index < sizeof calls / sizeof *calls && strcmp(arguments[1], calls[index].name) != 0) index++;
  if (index == sizeof calls / sizeof *calls) return 2;
  missing = calls[index].number;
  struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, missing, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
    // The older call for the same.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, missing == SYS_seccomp ? PR_SET_SECCOMP : -1u, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {.len = sizeof steps / sizeof *steps, .filter = steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 3;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) return 3;
  execvp(arguments[2], arguments + 2);
  return 127;
}
