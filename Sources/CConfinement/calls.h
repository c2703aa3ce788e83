#ifndef CALLS_H
#define CALLS_H

// The tables of system calls for the filters of filter.c. arm64 lacks the older calls of x86-64,
// and older headers lack the newer calls.

#include <sys/syscall.h>

/// Calls that the headers of Debian 12 lack, with the same numbers on all architectures.
enum {
  CALL_FCHMODAT2 = 452,
  CALL_SETXATTRAT = 463,
  CALL_REMOVEXATTRAT = 466,
  CALL_FILE_SETATTR = 469,
};

/// Calls that libvips, its loaders, GLib and the C library make for decoding. None changes a file that
/// was opened for reading, reaches another process or opens a connection.
static const int allowed[] = {
  // Reading and answering.
  SYS_read, SYS_recvmsg, SYS_pread64, SYS_readv, SYS_preadv, SYS_write, SYS_writev, SYS_close, SYS_lseek,
  SYS_fstat, SYS_statx, SYS_newfstatat, SYS_faccessat, SYS_readlinkat, SYS_getdents64, SYS_getcwd,
  SYS_statfs, SYS_fstatfs, SYS_fadvise64, SYS_readahead, SYS_dup, SYS_dup3, SYS_pipe2, SYS_ftruncate,
  SYS_eventfd2, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
  // Memory.
  SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_mincore, SYS_msync,
  SYS_membarrier, SYS_mlock, SYS_munlock, SYS_get_mempolicy,
  // Threads and time. Not the number of processors: dav1d would start a thread for each, and keep
  // in memory what all these threads need of the whole picture.
  SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_gettid,
  SYS_sched_yield, SYS_sched_getattr,
  SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max,
  SYS_sched_get_priority_min, SYS_getcpu, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime,
  SYS_clock_getres, SYS_gettimeofday, SYS_times, SYS_getitimer, SYS_restart_syscall,
  // Signals of this process.
  SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait,
  SYS_sigaltstack,
  // Who this is, and the end.
  SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getgroups,
  SYS_getresuid, SYS_getresgid, SYS_getpgid, SYS_getsid, SYS_uname, SYS_sysinfo, SYS_getrusage,
  SYS_getpriority, SYS_getrandom, SYS_exit, SYS_exit_group, SYS_umask, SYS_wait4,
#ifdef SYS_rseq
  SYS_rseq,
#endif
#ifdef SYS_preadv2
  SYS_preadv2,
#endif
#ifdef SYS_faccessat2
  SYS_faccessat2,
#endif
#ifdef SYS_close_range
  SYS_close_range,
#endif
#ifdef SYS_futex_waitv
  SYS_futex_waitv,
#endif
#ifdef __x86_64__
  SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll, SYS_select, SYS_getdents, SYS_pipe,
  SYS_dup2, SYS_time, SYS_getpgrp, SYS_arch_prctl, SYS_epoll_wait, SYS_getrlimit,
#endif
};

/// Calls that no program that handles photos makes: the process is killed.
static const int fatal[] = {
  SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
  SYS_swapoff, SYS_acct, SYS_quotactl, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
  SYS_clock_adjtime, SYS_pivot_root, SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_vhangup,
  SYS_perf_event_open, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_open_by_handle_at,
  SYS_fanotify_init, SYS_kcmp, SYS_personality,
#ifdef SYS_userfaultfd
  SYS_userfaultfd,
#endif
#ifdef SYS_kexec_file_load
  SYS_kexec_file_load,
#endif
#ifdef SYS_io_uring_setup
  SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
#ifdef __x86_64__
  SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs,
#endif
};

/// Calls by which a process starts others and talks to them, and by which those give up rights.
/// Landlock decides which command it starts.
static const int starting[] = {
  SYS_socketpair, SYS_capset, SYS_execve,
#ifdef __x86_64__
  SYS_fork, SYS_vfork,
#endif
};

/// Calls that reach other processes, the network or the system, for a filter that allows all
/// others.
static const int denied[] = {
  SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
  SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_execve, SYS_execveat, SYS_kill,
  SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_bpf, SYS_mount, SYS_umount2,
  SYS_unshare, SYS_setns, SYS_chroot, SYS_mknodat, SYS_setuid, SYS_setgid, SYS_setresuid,
  SYS_setresgid, SYS_setgroups, SYS_capset, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open,
#ifdef SYS_pidfd_open
  SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
  SYS_pidfd_getfd,
#endif
#ifdef SYS_open_tree
  SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount,
#endif
#ifdef SYS_mount_setattr
  SYS_mount_setattr,
#endif
#ifdef __x86_64__
  SYS_fork, SYS_vfork, SYS_mknod,
#endif
  // Owners, permissions, attributes and times of files by their names, which Landlock does not
  // cover, and lengths, which it covers from version 3 on.
  SYS_fchmodat, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
  SYS_truncate, CALL_FCHMODAT2, CALL_SETXATTRAT, CALL_REMOVEXATTRAT, CALL_FILE_SETATTR,
#ifdef __x86_64__
  SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

/// Calls that make, remove and rename files, which Landlock covers where the kernel has it.
static const int naming[] = {
  SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_linkat, SYS_symlinkat,
#ifdef SYS_renameat
  SYS_renameat,
#endif
#ifdef __x86_64__
  SYS_unlink, SYS_rmdir, SYS_rename, SYS_mkdir, SYS_link, SYS_symlink, SYS_creat,
#endif
};

/// The same as `denied` for open files, which may have been opened only for reading.
static const int changing[] = {
  SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr, SYS_utimensat,
#ifdef __x86_64__
  // It truncates.
  SYS_creat,
#endif
};

#endif
