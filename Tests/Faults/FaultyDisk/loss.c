// What a power cut loses: everything that was not flushed, or a part of it.
//
// As on file systems with a journal, names change in order: a cut loses the last changes of names, but
// never one before another that stays. The contents of a file that was not flushed may be lost even if
// its name is not. Flushing a file or folder keeps the changes of its names so far, and all before them.

#define _GNU_SOURCE
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum changeKind { made, removed, renamed, written };

struct change {
  struct change *before;
  enum changeKind kind;
  struct disk *disk;
  // The folders of the old and the new name; for bytes, the file.
  int folder, newFolder;
  char name[maxNameLength], newName[maxNameLength];
  // The number of the kept file that was removed or replaced; 0 for none.
  unsigned kept;
  // The file whose name or bytes changed, and the inodes of its folders.
  ino_t inode, folders[2];
  // The bytes from the offset on that were written over, and the length of the file before.
  off_t offset, oldLength;
  size_t length;
  char *bytes;
};

static struct change *last;
static unsigned keptCount;

static ino_t inodeOf(int folder, const char *name) {
  struct stat status;
  return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) == 0 ? status.st_ino : 0;
}

static struct change *add(enum changeKind kind, struct disk *disk, int folder) {
  struct change *change = calloc(1, sizeof *change);
  *change = (struct change){ .before = last, .kind = kind, .disk = disk, .newFolder = -1,
                             .folder = fcntl(folder, F_DUPFD_CLOEXEC, 0) };
  change->folders[0] = inodeOf(folder, "");
  last = change;
  return change;
}

static void keptName(unsigned number, char name[16]) { snprintf(name, 16, "%u", number); }

static void drop(struct change *change) {
  if (change->kept) {
    char name[16];
    keptName(change->kept, name);
    if (unlinkat(change->disk->kept, name, 0) != 0) unlinkat(change->disk->kept, name, AT_REMOVEDIR);
  }
  close(change->folder);
  if (change->newFolder >= 0) close(change->newFolder);
  free(change->bytes);
  free(change);
}

void noteMade(struct disk *disk, int folder, const char *name) {
  struct change *change = add(made, disk, folder);
  snprintf(change->name, maxNameLength, "%s", name);
  change->inode = inodeOf(folder, name);
}

// Moves a file out of sight; returns its number, or 0 with errno.
static unsigned keep(struct disk *disk, int folder, const char *name) {
  char kept[16];
  keptName(keptCount + 1, kept);
  return renameat(folder, name, disk->kept, kept) == 0 ? ++keptCount : 0;
}

int removeKept(struct disk *disk, int folder, const char *name) {
  struct stat status;
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  if (S_ISDIR(status.st_mode)) {
    // Only an empty folder may go.
    if (unlinkat(folder, name, AT_REMOVEDIR) != 0) return errno;
    if (mkdirat(folder, name, status.st_mode & 07777) != 0) return errno;
  }
  unsigned kept = keep(disk, folder, name);
  if (!kept) return errno;
  struct change *change = add(removed, disk, folder);
  snprintf(change->name, maxNameLength, "%s", name);
  change->kept = kept;
  change->inode = status.st_ino;
  return 0;
}

int renameKept(
    struct disk *disk, int folder, const char *name, int other, const char *newName, unsigned flags) {
  ino_t inode = inodeOf(folder, name), replaced = inodeOf(other, newName);
  if (flags & ~(unsigned)RENAME_NOREPLACE) return EINVAL;
  if (!inode) return ENOENT;
  if (replaced && flags) return EEXIST;
  if (replaced == inode) return 0;
  unsigned kept = 0;
  if (replaced && !(kept = keep(disk, other, newName))) return errno;
  if (renameat(folder, name, other, newName) != 0) {
    int error = errno;
    char back[16];
    keptName(kept, back);
    if (kept) renameat(disk->kept, back, other, newName);
    return error;
  }
  struct change *change = add(renamed, disk, folder);
  change->newFolder = fcntl(other, F_DUPFD_CLOEXEC, 0);
  change->folders[1] = inodeOf(other, "");
  snprintf(change->name, maxNameLength, "%s", name);
  snprintf(change->newName, maxNameLength, "%s", newName);
  change->kept = kept;
  change->inode = inode;
  return 0;
}

void willWrite(struct node *node, off_t offset, size_t length, off_t newLength) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", node->file);
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) != 0) return;
  struct change *change = add(written, NULL, node->file);
  change->inode = node->inode;
  change->offset = offset;
  change->oldLength = status.st_size;
  // What is written over, or cut off.
  off_t end = newLength >= 0 ? status.st_size : offset + (off_t)length;
  if (end > status.st_size) end = status.st_size;
  if (end > offset) {
    change->bytes = malloc((size_t)(end - offset));
    ssize_t count = pread(file, change->bytes, (size_t)(end - offset), offset);
    change->length = count < 0 ? 0 : (size_t)count;
  }
  close(file);
}

void noteSynced(struct node *node) {
  bool isKept = false;
  for (struct change **index = &last; *index;) {
    struct change *change = *index;
    bool isOwn = change->inode == node->inode;
    if (change->kind != written)
      isKept |= isOwn || change->folders[0] == node->inode || change->folders[1] == node->inode;
    if (change->kind == written ? isOwn : isKept) {
      *index = change->before;
      drop(change);
    } else {
      index = &change->before;
    }
  }
}

static void takeBack(struct change *change) {
  char kept[16], path[32];
  keptName(change->kept, kept);
  switch (change->kind) {
    case made:
      if (unlinkat(change->folder, change->name, 0) != 0)
        unlinkat(change->folder, change->name, AT_REMOVEDIR);
      break;
    case removed: renameat(change->disk->kept, kept, change->folder, change->name); break;
    case renamed:
      renameat(change->newFolder, change->newName, change->folder, change->name);
      if (change->kept) renameat(change->disk->kept, kept, change->newFolder, change->newName);
      break;
    case written: {
      snprintf(path, sizeof path, "/proc/self/fd/%d", change->folder);
      int file = open(path, O_RDWR | O_CLOEXEC);
      if (file < 0) break;
      if (change->length > 0 && pwrite(file, change->bytes, change->length, change->offset) < 0) break;
      if (ftruncate(file, change->oldLength) != 0) break;
      close(file);
      break;
    }
  }
  change->kept = 0;
}

unsigned cutPower(unsigned seed) {
  unsigned count = 0, lost = 0;
  for (struct change *change = last; change; change = change->before) count += change->kind != written;
  srand(seed);
  unsigned lostNames = count ? (unsigned)rand() % (count + 1) : 0;
  for (struct change *change = last; change; change = change->before) {
    bool isLost = change->kind != written ? lostNames > 0
                                          // By file: all of its bytes, or none.
                                          : (change->inode * 2654435761u + seed) >> 3 & 1;
    if (change->kind != written && lostNames > 0) lostNames--;
    if (!isLost) continue;
    takeBack(change);
    lost++;
  }
  forgetLosses();
  return lost;
}

void forgetLosses(void) {
  while (last) {
    struct change *before = last->before;
    drop(last);
    last = before;
  }
}
