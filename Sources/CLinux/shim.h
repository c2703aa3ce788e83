// Calls of the C library and of Linux that Swift's Glibc module leaves out, or cannot import
// because they take variable arguments.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/auxv.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

// Functions that the headers declare only with a feature macro that Swift does not set.
extern int wcwidth(wchar_t character);
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern char *ptsname(int descriptor);

/// Returns the time of the monotonic clock, in nanoseconds.
static inline long long monotonic_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Returns the name of a folder's entry, ended by 0.
///
/// Swift must not copy the name's array itself: the memory of an entry ends after its name, and may
/// be shorter than `struct dirent`.
static inline const char *_Nonnull folder_entry_name(const struct dirent *_Nonnull entry) {
  return entry->d_name;
}

#ifndef O_PATH
#define O_PATH 010000000
#endif

/// Opens a folder only to open files in it by their names, for which it need not be readable; returns
/// -1 with `errno` if it cannot be opened.
static inline int folder_open(const char *_Nonnull path) {
  return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/// Makes the kernel kill the calling process as soon as the thread that started it ends.
static inline int process_dies_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Prevents this process, and all that it starts, from gaining rights by a set-user-ID file.
static inline int process_gains_no_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// Returns 1 if a seccomp filter restricts this process's system calls, else 0.
static inline int process_is_filtered(void) {
  return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2;
}

/// Returns a descriptor that becomes readable when a process ends (a pidfd); -1 if the kernel has
/// none.
static inline int process_descriptor(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0u);
#else
  return -1;
#endif
}

/// Makes a system call, by its number, with up to three arguments.
static inline long kernel_call(long number, long first, long second, long third) {
  return syscall(number, first, second, third);
}

/// Closes all descriptors but the three standard ones. Returns 0, or -1 if the kernel cannot.
static inline long process_close_descriptors(void) {
  return syscall(SYS_close_range, 3u, ~0u, 0u);
}

/// Returns the path by which the kernel started the program (AT_EXECFN); NULL if it is unknown.
static inline const char *program_start_path(void) {
  return (const char *)getauxval(AT_EXECFN);
}

/// Sets the name that lists of processes show for this process, cut to 15 bytes.
static inline int process_set_name(const char *name) {
  return prctl(PR_SET_NAME, name);
}

/// Renames a file, unless the new name exists (RENAME_NOREPLACE).
///
/// Returns 0, or -1 with `errno`: EEXIST if the new name exists, EINVAL or ENOSYS if the file
/// system or the kernel does not support the flag.
static inline int file_rename_without_replacing(
    int old_folder, const char *old_name, int new_folder, const char *new_name) {
#ifdef SYS_renameat2
  return (int)syscall(SYS_renameat2, old_folder, old_name, new_folder, new_name, 1u);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Returns the number of the mount on which a path is; 0 if the kernel does not tell (before Linux
/// 5.8).
///
/// A folder of a file system can be mounted at a second place (a bind mount), with the same device
/// number; the kernel renames no file from one place to the other.
static inline unsigned long long file_mount(const char *_Nonnull path) {
#ifdef SYS_statx
  // The offsets in `struct statx`, which is declared only with a feature macro that Swift does not set.
  enum { size = 256, mask = 0, mount = 144, wanted = 0x1000 /* STATX_MNT_ID */ };
  char status[size];
  unsigned known;
  unsigned long long number;
  if (syscall(SYS_statx, AT_FDCWD, path, 0, wanted, status) != 0) return 0;
  memcpy(&known, status + mask, sizeof known);
  memcpy(&number, status + mount, sizeof number);
  return known & wanted ? number : 0;
#else
  return 0;
#endif
}

/// Makes an empty file share the contents of another (FICLONE). Returns 0, or -1 if the file system
/// cannot.
static inline int file_shares_contents(int from, int to) {
  return ioctl(to, _IOW(0x94, 9, int), from);
}

#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

/// Creates a file without a name on the disk of a folder. Returns a descriptor; -1 if the disk has no such
/// files.
static inline int file_open_unnamed(int folder) {
  return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/// Copies bytes between open files within the kernel, to where the target was last written. Adds their
/// number to `offset`, and returns it; 0 or -1 if they must be copied otherwise.
static inline long file_copy_range(int from, long long *_Nonnull offset, int to, long count) {
#ifdef SYS_copy_file_range
  return syscall(SYS_copy_file_range, from, offset, to, NULL, (size_t)count, 0u);
#else
  return -1;
#endif
}

/// Copies extended attributes from one open file to another, as far as the system and the file
/// system allow.
static inline void file_copy_attributes(int from, int to) {
  static char names[1 << 16], value[1 << 16];
  ssize_t length = flistxattr(from, names, sizeof names);
  for (ssize_t start = 0; start < length; start += (ssize_t)strlen(names + start) + 1) {
    ssize_t size = fgetxattr(from, names + start, value, sizeof value);
    if (size >= 0) fsetxattr(to, names + start, value, (size_t)size, 0);
  }
}

/// The maximum number of descriptors in one message of a socket.
enum { SOCKET_MOST_DESCRIPTORS = 32 };

/// Sends bytes through a socket, with copies of up to SOCKET_MOST_DESCRIPTORS descriptors
/// (SCM_RIGHTS). Returns the number of bytes sent, or -1: with EINVAL for any other number of
/// descriptors.
static inline long socket_send(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
  if (descriptor_count < 0 || descriptor_count > SOCKET_MOST_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int) * SOCKET_MOST_DESCRIPTORS)];
  } control;
  struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)descriptor_count);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)descriptor_count);
    memcpy(CMSG_DATA(&control.head), descriptors, sizeof(int) * (size_t)descriptor_count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/// Receives bytes from a socket, and the descriptors sent with them.
///
/// `descriptors` must have room for SOCKET_MOST_DESCRIPTORS. Returns the number of bytes received,
/// 0 at the end of the stream, or -1.
static inline long socket_receive(
    int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int) * SOCKET_MOST_DESCRIPTORS)];
  } control;
  struct iovec piece = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = sizeof control};
  *descriptor_count = 0;
  long received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received <= 0) return received;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    size_t size = part->cmsg_len - CMSG_LEN(0);
    *descriptor_count = (int)(size / sizeof(int));
    memcpy(descriptors, CMSG_DATA(part), size);
  }
  return received;
}

/// Creates an empty file in memory that is closed in programs started later.
///
/// `name` appears in lists of open files only. Returns a descriptor; -1 if the file cannot be
/// created.
static inline int file_in_memory(const char *name) {
#ifdef SYS_memfd_create
  return (int)syscall(SYS_memfd_create, name, 1u);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Calls `fork`, which Swift does not import: 0 in the new process, its id in this one, -1 on
/// error.
static inline pid_t process_fork(void) { return fork(); }
