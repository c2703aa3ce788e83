#ifndef C_CONFINEMENT_H
#define C_CONFINEMENT_H

// The means of Linux by which a process gives up rights. The numbers are those of the kernel's
// interface, so that a build does not depend on the age of its headers.

#include <stdint.h>
#include <sys/types.h>

/// Rights to files that Landlock knows; those without a version are in all versions.
enum {
  LANDLOCK_EXECUTE = 1 << 0,
  LANDLOCK_WRITE_FILE = 1 << 1,
  LANDLOCK_READ_FILE = 1 << 2,
  LANDLOCK_READ_FOLDER = 1 << 3,
  LANDLOCK_REMOVE_FOLDER = 1 << 4,
  LANDLOCK_REMOVE_FILE = 1 << 5,
  LANDLOCK_MAKE_DEVICE = 1 << 6 | 1 << 11,
  LANDLOCK_MAKE_FOLDER = 1 << 7,
  LANDLOCK_MAKE_FILE = 1 << 8,
  LANDLOCK_MAKE_SOCKET_OR_PIPE = 1 << 9 | 1 << 10,
  LANDLOCK_MAKE_LINK = 1 << 12,
  /// Version 2: moving and linking between folders.
  LANDLOCK_REFER = 1 << 13,
  /// Version 3.
  LANDLOCK_TRUNCATE = 1 << 14,
  /// Version 5: requests to devices.
  LANDLOCK_CONTROL_DEVICE = 1 << 15,
};

/// Returns the version of Landlock's interface; 0 if the kernel has none.
int confinement_landlock_version(void);

/// Creates a set of rules that denies the given rights wherever no rule grants them.
///
/// It also denies all TCP (version 4), abstract sockets (version 6) and, unless `signals` is set,
/// signals to other processes (version 6).
///
/// Returns its descriptor, or -1.
int confinement_make_rules(int version, uint64_t denied, int signals);

/// Grants rights to a file, or to everything below a folder. Returns 0 or -1.
int confinement_grant(int rules, const char *folder, uint64_t rights);

/// Grants rights to an open file, which stays open. Returns 0 or -1.
int confinement_grant_open(int rules, int file, uint64_t rights);

/// Grants rights to the folders of the libraries that this process has loaded.
void confinement_grant_libraries(int rules, uint64_t rights);

/// Applies the rules to this thread and to the threads and processes that it starts. Returns 0 or
/// -1.
int confinement_enforce(int rules);

/// The system calls that a process may make.
enum {
  /// Those that decoders need; files can be opened for reading only, and no memory is made
  /// executable but that of libraries as they are in files.
  CONFINEMENT_READS = 0,
  /// All but those that reach other processes, the network or the system itself, and those that
  /// change owner, permissions, attributes or times of a file.
  CONFINEMENT_HARMLESS = 1,
  /// The same, and those for starting processes that give up more, or a command.
  CONFINEMENT_STARTS = 2,
  /// The same as `CONFINEMENT_HARMLESS`, and those that change these of an open file.
  CONFINEMENT_CHANGES = 3,
  /// Those of a command: the same as `CONFINEMENT_HARMLESS`, but for those that make or change files, and
  /// the one that starts it.
  CONFINEMENT_COMMAND = 4,
};

/// Filters the system calls of this process from now on, by one of the constants above. Returns 0
/// or -1.
int confinement_filter(int calls);

/// The namespaces that a process can leave.
enum {
  CONFINEMENT_NETWORK = 1 << 0,
  CONFINEMENT_SHARED_MEMORY = 1 << 1,
  /// A namespace for the processes started from now on, which the kernel kills with the first of
  /// them.
  CONFINEMENT_PROCESSES = 1 << 2,
  /// A user namespace, by which an ordinary user may leave the others.
  CONFINEMENT_USER = 1 << 3,
};

/// Leaves each namespace that can be left, and returns their bits.
///
/// The namespace of processes is left only if `processes` is set, since this process can start no
/// thread after that.
int confinement_isolate(int processes);

/// Which capabilities are kept.
enum {
  CONFINEMENT_KEEPS_NONE = 0,
  /// Those that override the permissions of files.
  CONFINEMENT_KEEPS_FILES = 1,
  /// Those that override the permissions of files, and those that set their owners.
  CONFINEMENT_KEEPS_OWNERS = 2,
};

/// Gives up all capabilities but those that are kept. Returns 0 or -1.
int confinement_drop_capabilities(int kept);

#endif
