// Calls of the C library and of Linux that Swift's Glibc module leaves out, or cannot import
// because they take variable arguments.

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

// What the headers hide behind a feature macro that Swift does not set.
extern int wcwidth(wchar_t character);
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern char *ptsname(int descriptor);

/// The monotonic clock, in nanoseconds.
static inline long long monotonic_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// The calling process is killed as soon as the thread that started it ends.
static inline int process_dies_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Neither this process nor what it starts can gain rights from a set-user-ID file.
static inline int process_gains_no_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// 1 if a seccomp filter decides on this process's calls, else 0.
static inline int process_is_filtered(void) {
  return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2;
}

/// A descriptor that is readable once a process has ended, or -1 where the system has none.
static inline int process_descriptor(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0u);
#else
  return -1;
#endif
}

/// Any call of the kernel, with up to three arguments.
static inline long kernel_call(long number, long first, long second, long third) {
  return syscall(number, first, second, third);
}

/// Closes what was left open above the three standard descriptors.
static inline long process_closes_descriptors(void) {
  return syscall(SYS_close_range, 3u, ~0u, 0u);
}

/// The path that the program was started by, as the kernel handed it over; NULL if it did not.
static inline const char *program_start_path(void) {
  return (const char *)getauxval(AT_EXECFN);
}

/// Gives the process the name that lists of processes show, cut to 15 bytes.
static inline int process_is_called(const char *name) {
  return prctl(PR_SET_NAME, name);
}

/// Gives a file another name, and fails with EEXIST where that is taken (RENAME_NOREPLACE); with
/// EINVAL or ENOSYS where system or file system do not know that.
static inline int file_moves_without_replacing(
    int old_folder, const char *old_name, int new_folder, const char *new_name) {
#ifdef SYS_renameat2
  return (int)syscall(SYS_renameat2, old_folder, old_name, new_folder, new_name, 1u);
#else
  errno = ENOSYS;
  return -1;
#endif
}
