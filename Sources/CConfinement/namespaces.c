#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <linux/capability.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// Maps the user to the same number in a new user namespace.
static void map_user(unsigned number) {
  char line[32];
  int length = snprintf(line, sizeof line, "%u %u 1", number, number);
  int map = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
  if (map < 0) return;
  ssize_t written = write(map, line, (size_t)length);
  (void)written;
  close(map);
}

// Ubuntu allows user namespaces, and denies every capability in them.
static int is_restricted(void) {
  char answer = '0';
  int setting = open("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", O_RDONLY | O_CLOEXEC);
  if (setting < 0) return 0;
  ssize_t count = read(setting, &answer, 1);
  close(setting);
  return count == 1 && answer == '1';
}

// Leaves one of the namespaces that the process shares with others.
static int leave(int space, int bit) { return unshare(space) == 0 ? bit : 0; }

int confinement_isolate(int processes) {
  unsigned number = geteuid();
  int left = leave(CLONE_NEWNET, CONFINEMENT_NETWORK);
  if (left == 0 && !is_restricted() && unshare(CLONE_NEWUSER) == 0) {
    // If this fails, the user's own files appear to belong to a stranger, but permissions still
    // hold.
    map_user(number);
    left = CONFINEMENT_USER | leave(CLONE_NEWNET, CONFINEMENT_NETWORK);
  }
  left |= leave(CLONE_NEWIPC, CONFINEMENT_SHARED_MEMORY);
  if (processes) left |= leave(CLONE_NEWPID, CONFINEMENT_PROCESSES);
  return left;
}

int confinement_drop_capabilities(int kept_capabilities) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct held[2] = {{0}};
  if (syscall(SYS_capget, &header, held) != 0) return -1;
  // Root can read everybody's photos, and lets them keep their owners. All of these capabilities
  // have numbers below 32.
  uint32_t kept = 0;
  if (kept_capabilities == CONFINEMENT_KEEPS_FILES || kept_capabilities == CONFINEMENT_KEEPS_OWNERS)
    kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
  if (kept_capabilities == CONFINEMENT_KEEPS_OWNERS)
    kept |= 1u << CAP_CHOWN | 1u << CAP_FOWNER | 1u << CAP_FSETID;
  held[0].effective &= kept;
  held[0].permitted &= kept;
  held[0].inheritable = 0;
  held[1] = (struct __user_cap_data_struct){0};
  return (int)syscall(SYS_capset, &header, held);
}
