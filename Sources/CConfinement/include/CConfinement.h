#ifndef C_CONFINEMENT_H
#define C_CONFINEMENT_H

// What Linux offers a process that gives up rights of its own. The numbers are those of the kernel's
// interface, so that a build does not depend on how new its headers are.

#include <stdint.h>
#include <sys/types.h>

/// Rights to files that Landlock knows, by the version that brought them.
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

/// The version of Landlock's interface, 0 where there is none.
int confinement_landlock_version(void);

/// A set of rules that denies the given rights wherever no rule grants them, all TCP (version 4), and
/// abstract sockets and, unless `signals` is set, signals to other processes (version 6).
///
/// Returns its descriptor or -1.
int confinement_make_rules(int version, uint64_t denied, int signals);

/// Grants rights below a folder. Returns 0 or -1.
int confinement_grant(int rules, const char *folder, uint64_t rights);

/// Holds this thread, and those it starts, to the rules. Returns 0 or -1.
int confinement_enforce(int rules);

/// What a process may ask of the kernel.
enum {
  /// What decoders need; files are opened for reading only.
  CONFINEMENT_READS = 0,
  /// All but what reaches other processes, the network or the system itself.
  CONFINEMENT_HARMLESS = 1,
  /// The same, and to start processes that give up more.
  CONFINEMENT_STARTS = 2,
};

/// Filters the system calls of this process from now on. Returns 0 or -1.
int confinement_filter(int calls);

/// The namespaces that a process can leave.
enum {
  CONFINEMENT_NETWORK = 1 << 0,
  CONFINEMENT_SHARED_MEMORY = 1 << 1,
  /// The processes started from now on, which the kernel kills with the first of them.
  CONFINEMENT_PROCESSES = 1 << 2,
  /// A user namespace, by which an ordinary user may leave the others.
  CONFINEMENT_USER = 1 << 3,
};

/// Leaves each namespace that may be left, and returns which these are; that of processes only if
/// asked for, since no thread can be started after that.
int confinement_isolate(int processes);

/// Which capabilities are kept.
enum {
  CONFINEMENT_KEEPS_NONE = 0,
  /// Those that pass over the permissions of files.
  CONFINEMENT_KEEPS_FILES = 1,
  /// The one that `confinement_empty_root` takes.
  CONFINEMENT_KEEPS_ROOT = 2,
  /// Those that pass over the permissions of files, and those that give files to their owners.
  CONFINEMENT_KEEPS_OWNERS = 3,
};

/// Gives up all capabilities but those that are kept. Returns 0 or -1.
int confinement_drop_capabilities(int kept);

/// Makes an empty folder the root and the current folder of this process, so that no name leads to
/// a file. Returns 0 or -1.
int confinement_empty_root(void);

#endif
