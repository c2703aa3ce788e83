// Calls of the C library that Swift's Glibc leaves out, or cannot import because they take
// variable arguments.
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// The calling process is killed as soon as the thread that started it ends.
static inline int process_dies_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Neither this process nor what it starts can gain rights from a set-user-ID file.
static inline int process_gains_no_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// A descriptor that is readable once a process has ended, or -1 where the system has none.
static inline int process_descriptor(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0u);
#else
  return -1;
#endif
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
