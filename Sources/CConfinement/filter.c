#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4u
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000u
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DENIED (SECCOMP_RET_ERRNO | EPERM)
#define UNSUPPORTED (SECCOMP_RET_ERRNO | ENOSYS)

// A filter is a program for the kernel (classic BPF): its steps load the number or an argument of a
// system call, compare it, skip steps, and return an action.
struct program {
  struct sock_filter steps[1024];
  unsigned short count;
};

static void add(struct program *program, struct sock_filter step) {
  // A program that does not fit is rejected as a whole, rather than truncated.
  if (program->count < COUNT(program->steps)) program->steps[program->count] = step;
  program->count++;
}

static void load(struct program *program, size_t offset) {
  add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void result(struct program *program, uint32_t action) {
  add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

// Loads the lower half of an argument, which both architectures store first.
static void load_argument(struct program *program, int index) {
  load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)index);
}

// Skips the next steps unless the loaded value equals a number.
static void unless_equal(struct program *program, uint32_t number, uint8_t skipped) {
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, skipped));
}

// Returns an action if the call is one of `calls`.
static void decide(struct program *program, const int *calls, size_t count, uint32_t action) {
  for (size_t index = 0; index < count; index++) {
    unless_equal(program, (uint32_t)calls[index], 1);
    result(program, action);
  }
}

// Returns an action if an argument of a call is one of some values. Otherwise the one step behind these
// is for this call alone.
static void decide_values(
    struct program *program, int call, int argument, const uint32_t *values, size_t count,
    uint32_t action) {
  unless_equal(program, (uint32_t)call, (uint8_t)(2 * count + 2));
  load_argument(program, argument);
  for (size_t index = 0; index < count; index++) {
    unless_equal(program, values[index], 1);
    result(program, action);
  }
}

// Denies a call if one of some bits of an argument is set. Otherwise the one step behind these is for
// this call alone.
static void decide_bits(struct program *program, int call, int argument, uint32_t bits) {
  unless_equal(program, (uint32_t)call, 4);
  load_argument(program, argument);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
  result(program, DENIED);
}

// Allows a call only with one of some values of an argument.
static void allow_values(
    struct program *program, int call, int argument, const uint32_t *values, size_t count) {
  decide_values(program, call, argument, values, count, SECCOMP_RET_ALLOW);
  result(program, DENIED);
}

// Allows a call unless one of some bits of an argument is set.
static void refuse_bits(struct program *program, int call, int argument, uint32_t bits) {
  decide_bits(program, call, argument, bits);
  result(program, SECCOMP_RET_ALLOW);
}

// Denies a call if an argument is one of some values.
static void deny_values(
    struct program *program, int call, int argument, const uint32_t *values, size_t count) {
  decide_values(program, call, argument, values, count, DENIED);
  load(program, offsetof(struct seccomp_data, nr));
}

// Denies a call if one of some bits of an argument is set.
static void deny_bits(struct program *program, int call, int argument, uint32_t bits) {
  decide_bits(program, call, argument, bits);
  load(program, offsetof(struct seccomp_data, nr));
}

// Says that the kernel does not have the call whose flags are in memory, which a filter cannot read.
static void leave_out_openat2(struct program *program) {
#ifdef SYS_openat2
  unless_equal(program, SYS_openat2, 1);
  result(program, UNSUPPORTED);
#else
  (void)program;
#endif
}

// Allows the times of an open file to be set, but not those of a file by its name.
static void allow_times_of_open_files(struct program *program) {
  size_t name = offsetof(struct seccomp_data, args) + 8;
  unless_equal(program, SYS_utimensat, 6);
  load(program, name);
  unless_equal(program, 0, 3);
  load(program, name + 4);
  unless_equal(program, 0, 1);
  result(program, SECCOMP_RET_ALLOW);
  result(program, DENIED);
}

// Denies the requests by which the kernel sends signals for open files, and those that change
// attributes which files have on few file systems.
static void deny_requests(struct program *program) {
  uint32_t owners[] = {F_SETOWN, 10 /* F_SETSIG */, 15 /* F_SETOWN_EX */};
  deny_values(program, SYS_fcntl, 1, owners, COUNT(owners));
  // FIOSETOWN, SIOCSPGRP, FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR,
  // FAT_IOCTL_SET_ATTRIBUTES and TIOCSTI, which types for the user.
  uint32_t requests[] = {0x8901, 0x8902, 0x40086602, 0x40046602, 0x401C5820, 0x40047211, 0x5412};
  deny_values(program, SYS_ioctl, 1, requests, COUNT(requests));
}

// Allows threads to be started, but not processes.
static void allow_threads(struct program *program) {
  unless_equal(program, SYS_clone, 4);
  load_argument(program, 0);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  result(program, DENIED);
  result(program, SECCOMP_RET_ALLOW);
#ifdef SYS_clone3
  // Its flags are in memory, which a filter cannot read; the C library then uses the older call.
  unless_equal(program, SYS_clone3, 1);
  result(program, UNSUPPORTED);
#endif
}

// Allows this process to read its own limits, and to set its limit of processor time.
static void allow_limits(struct program *program) {
  unless_equal(program, SYS_prlimit64, 10);
  load_argument(program, 0);
  unless_equal(program, 0, 7);
  load_argument(program, 1);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_CPU, 4, 0));
  load_argument(program, 2);
  unless_equal(program, 0, 3);
  load(program, offsetof(struct seccomp_data, args) + 8 * 2 + 4);
  unless_equal(program, 0, 1);
  result(program, SECCOMP_RET_ALLOW);
  result(program, DENIED);
}

// Allows memory to be mapped, executable only as libraries are: what is in a file, and not writable.
static void allow_maps(struct program *program) {
  unless_equal(program, SYS_mmap, 8);
  load_argument(program, 2);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
  result(program, SECCOMP_RET_ALLOW);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 3, 0));
  load_argument(program, 3);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 1, 0));
  result(program, SECCOMP_RET_ALLOW);
  result(program, DENIED);
}

// The flags with which a file is opened to be changed, or made.
static const uint32_t changing_flags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

static void decide_for_decoders(struct program *program) {
  uint32_t own[] = {(uint32_t)getpid()};
  uint32_t names[] = {PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS};
  // TCGETS, by which the C library finds out whether it writes to a terminal, and FIONREAD.
  uint32_t questions[] = {0x5401, 0x541B};
  uint32_t commands[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC};
  uint32_t this[] = {0};
  decide(program, allowed, COUNT(allowed), SECCOMP_RET_ALLOW);
  allow_threads(program);
  allow_limits(program);
  allow_values(program, SYS_kill, 0, own, COUNT(own));
  allow_values(program, SYS_tgkill, 0, own, COUNT(own));
  allow_values(program, SYS_prctl, 0, names, COUNT(names));
  allow_values(program, SYS_ioctl, 1, questions, COUNT(questions));
  allow_values(program, SYS_fcntl, 1, commands, COUNT(commands));
  allow_values(program, SYS_sched_setattr, 0, this, COUNT(this));
  // Decoding libraries generate no machine code: VipsDecoder turns that off in libvips, and GLib does not
  // ask PCRE to compile its regular expressions.
  allow_maps(program);
  refuse_bits(program, SYS_mprotect, 2, PROT_EXEC);
  refuse_bits(program, SYS_openat, 2, changing_flags);
#ifdef SYS_open
  refuse_bits(program, SYS_open, 1, changing_flags);
#endif
  leave_out_openat2(program);
  decide(program, fatal, COUNT(fatal), SECCOMP_RET_KILL_PROCESS);
  result(program, DENIED);
}

// Denies calls that reach other processes, the network or the system, or change a file that the
// process could not write.
static void deny_harmful(struct program *program) {
  uint32_t this[] = {0};
  // By this the C library ends a process that has found a fault in itself.
  uint32_t own[] = {(uint32_t)getpid()};
  allow_values(program, SYS_prlimit64, 0, this, COUNT(this));
  allow_values(program, SYS_tgkill, 0, own, COUNT(own));
  deny_requests(program);
  decide(program, fatal, COUNT(fatal), SECCOMP_RET_KILL_PROCESS);
  decide(program, denied, COUNT(denied), DENIED);
}

static void decide_for_others(struct program *program, int changes_files) {
  deny_harmful(program);
  if (changes_files) {
    allow_times_of_open_files(program);
  } else {
    decide(program, changing, COUNT(changing), DENIED);
    // Landlock covers this from version 3 on.
    deny_bits(program, SYS_openat, 2, O_TRUNC);
#ifdef SYS_open
    deny_bits(program, SYS_open, 1, O_TRUNC);
#endif
    leave_out_openat2(program);
  }
  allow_threads(program);
  result(program, SECCOMP_RET_ALLOW);
}

// Allows the command itself, which can start no process and change no file.
static void decide_for_commands(struct program *program) {
  unless_equal(program, SYS_execve, 1);
  result(program, SECCOMP_RET_ALLOW);
  decide(program, naming, COUNT(naming), DENIED);
  deny_bits(program, SYS_openat, 2, changing_flags);
#ifdef SYS_open
  deny_bits(program, SYS_open, 1, changing_flags);
#endif
  decide_for_others(program, 0);
}

// Allows processes to be started too, but not in new namespaces, in which they would have
// capabilities.
static void decide_for_starters(struct program *program) {
  uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER
      | CLONE_NEWPID | CLONE_NEWNET;
  decide(program, starting, COUNT(starting), SECCOMP_RET_ALLOW);
  deny_harmful(program);
  decide(program, changing, COUNT(changing), DENIED);
  refuse_bits(program, SYS_clone, 0, namespaces);
#ifdef SYS_clone3
  unless_equal(program, SYS_clone3, 1);
  result(program, UNSUPPORTED);
#endif
  result(program, SECCOMP_RET_ALLOW);
}

int confinement_filter(int calls) {
  struct program program = {.count = 0};
  load(&program, offsetof(struct seccomp_data, arch));
  unless_equal(&program, ARCHITECTURE, 1);
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
  result(&program, SECCOMP_RET_KILL_PROCESS);
  load(&program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  // The x32 interface has other numbers for the same calls, which are not in the tables.
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  result(&program, SECCOMP_RET_KILL_PROCESS);
#endif
  if (calls == CONFINEMENT_HARMLESS || calls == CONFINEMENT_CHANGES) {
    decide_for_others(&program, calls == CONFINEMENT_CHANGES);
  } else if (calls == CONFINEMENT_STARTS) {
    decide_for_starters(&program);
  } else if (calls == CONFINEMENT_COMMAND) {
    decide_for_commands(&program);
  } else {
    decide_for_decoders(&program);
  }
  if (program.count > COUNT(program.steps)) {
    errno = E2BIG;
    return -1;
  }
  struct sock_fprog all = {.len = program.count, .filter = program.steps};
  // Before Linux 5.16 a filter also turned on mitigations of speculative execution, which cost
  // time.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &all) == 0)
    return 0;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all, 0, 0);
}

#else

int confinement_filter(int calls) {
  (void)calls;
  errno = ENOSYS;
  return -1;
}

#endif
