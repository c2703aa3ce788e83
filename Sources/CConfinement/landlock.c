#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <string.h>
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
  int result = confinement_grant_open(rules, descriptor, rights);
  close(descriptor);
  return result;
}

int confinement_grant_open(int rules, int file, uint64_t rights) {
  struct path_rule rule = {.rights = rights, .folder = file};
  long result = syscall(add_rule, rules, 1, &rule, 0);
  // Rights of folders cannot be granted for a single file.
  if (result < 0 && errno == EINVAL) {
    rule.rights &= LANDLOCK_READ_FILE | LANDLOCK_EXECUTE;
    result = syscall(add_rule, rules, 1, &rule, 0);
  }
  return (int)result;
}

struct grant {
  int rules;
  uint64_t rights;
};

static int grant_folder_of(struct dl_phdr_info *library, size_t size, void *argument) {
  (void)size;
  struct grant *grant = argument;
  char folder[PATH_MAX];
  // The program itself has no name here.
  const char *end = library->dlpi_name ? strrchr(library->dlpi_name, '/') : NULL;
  if (!end || end == library->dlpi_name || end - library->dlpi_name >= PATH_MAX) return 0;
  memcpy(folder, library->dlpi_name, (size_t)(end - library->dlpi_name));
  folder[end - library->dlpi_name] = 0;
  confinement_grant(grant->rules, folder, grant->rights);
  return 0;
}

void confinement_grant_libraries(int rules, uint64_t rights) {
  struct grant grant = {.rules = rules, .rights = rights};
  dl_iterate_phdr(grant_folder_of, &grant);
}

int confinement_enforce(int rules) { return (int)syscall(restrict_self, rules, 0); }
