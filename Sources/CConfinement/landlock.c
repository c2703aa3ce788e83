#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers of Landlock's system calls, which are the same on all architectures.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct path_rule {
  uint64_t rights;
  int32_t folder;
} __attribute__((packed));

int confinement_landlock_version(void) {
  long version = syscall(create_ruleset, NULL, 0, 1);
  return version > 0 ? (int)version : 0;
}

int confinement_make_rules(int version, uint64_t denied, int signals) {
  struct ruleset rules = {.files = denied};
  size_t size = sizeof rules.files;
  if (version >= 4) {
    rules.network = 3;  // bind and connect
    size += sizeof rules.network;
  }
  if (version >= 6) {
    rules.scopes = signals ? 1 : 3;  // abstract sockets, and signals
    size += sizeof rules.scopes;
  }
  return (int)syscall(create_ruleset, &rules, size, 0);
}

int confinement_grant(int rules, const char *folder, uint64_t rights) {
  int descriptor = open(folder, O_PATH | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct path_rule rule = {.rights = rights, .folder = descriptor};
  long result = syscall(add_rule, rules, 1, &rule, 0);
  // Rights of folders cannot be granted for a single file.
  if (result < 0 && errno == EINVAL) {
    rule.rights &= LANDLOCK_READ_FILE | LANDLOCK_EXECUTE;
    result = syscall(add_rule, rules, 1, &rule, 0);
  }
  close(descriptor);
  return (int)result;
}

int confinement_enforce(int rules) { return (int)syscall(restrict_self, rules, 0); }
