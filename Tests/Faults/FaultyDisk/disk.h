// A disk for tests: a FUSE file system that shows the files of a folder, its store, and fails on command.

#pragma once
#include <linux/fuse.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { maxDisks = 4, maxNameLength = 256, maxWriteLength = 128 << 10, maxRequestLength = maxWriteLength + 4096 };

// An inode that the kernel knows.
struct node {
  struct node *next;
  dev_t device;
  ino_t inode;
  // Opened with O_PATH.
  int file;
  // How often the kernel has looked it up.
  uint64_t lookups;
  // The name by which it was last found.
  char name[maxNameLength];
};

struct disk {
  // The end of the connection to the kernel; -1 once the disk is gone.
  int device;
  struct node root;
  // The folder in which removed files are kept while a power cut would bring them back.
  int kept;
};

struct request {
  struct disk *disk;
  struct request *next;
  // The time at which it is served, in milliseconds; -1 for one that waits for a command.
  int64_t due;
  // Whether a process that is killed need not wait for it.
  bool isInterruptible;
  // How many bytes of a read are returned at most.
  uint32_t limit;
  size_t length;
  _Alignas(8) char bytes[];
};

// disk.c
extern struct disk disks[maxDisks];
extern unsigned diskCount;
struct node *find(struct disk *disk, uint64_t number);
// Performs a request and sends its reply.
void perform(struct request *request);
void reply(struct disk *disk, uint64_t unique, int error, const void *bytes, size_t length);
// The name of a file that a request is about; never NULL.
const char *nameOf(const struct request *request);

// faults.c
// Performs a request, or what the rules say.
void serve(struct request *request);
// Whether a rule shortens reads.
bool hasShortReads(void);
// Performs the held requests that are due, or all, and returns the milliseconds until the next; -1 for none.
int release(bool all);
void interrupt(struct disk *disk, uint64_t unique);
// Obeys a command and writes an answer.
void obey(const char *command, char *answer, size_t length);
extern bool isStopped;
// Whether names are found whatever their case.
extern bool ignoresCase;

// loss.c: what a power cut loses.
void noteMade(struct disk *disk, int folder, const char *name);
// Removes a file or folder so that it can come back; returns an error or 0.
int removeKept(struct disk *disk, int folder, const char *name);
// Renames a file, and keeps a file that it replaces; returns an error or 0.
int renameKept(
    struct disk *disk, int folder, const char *name, int other, const char *newName, unsigned flags);
// Call before bytes of a file change, with the new length if they are cut off, else -1.
void willWrite(struct node *node, off_t offset, size_t length, off_t newLength);
// A file or folder was flushed.
void noteSynced(struct node *node);
// Takes back changes that were not flushed: a random part, as by the seed. Returns their number.
unsigned cutPower(unsigned seed);
// Removes the files that no power cut brings back.
void forgetLosses(void);
