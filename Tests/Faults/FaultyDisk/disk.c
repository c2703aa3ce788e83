// The requests of the kernel, each performed on the files of a store.

#define _GNU_SOURCE
#include "disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

struct disk disks[maxDisks];
unsigned diskCount;

struct node *find(struct disk *disk, uint64_t number) {
  return number == FUSE_ROOT_ID ? &disk->root : (struct node *)(uintptr_t)number;
}

void reply(struct disk *disk, uint64_t unique, int error, const void *bytes, size_t length) {
  struct fuse_out_header header = {
    .len = (uint32_t)(sizeof header + (error ? 0 : length)), .error = -error, .unique = unique };
  struct iovec parts[] = {
    { &header, sizeof header }, { (void *)(uintptr_t)bytes, error ? 0 : length } };
  // Fails if the process that asked was killed.
  if (disk->device >= 0 && writev(disk->device, parts, 2) < 0) return;
}

static void path(const struct node *node, char text[32]) {
  snprintf(text, 32, "/proc/self/fd/%d", node->file);
}

static struct fuse_attr attributes(const struct stat *status) {
  return (struct fuse_attr){
    .ino = status->st_ino, .size = (uint64_t)status->st_size, .blocks = (uint64_t)status->st_blocks,
    .atime = (uint64_t)status->st_atime, .mtime = (uint64_t)status->st_mtime,
    .ctime = (uint64_t)status->st_ctime, .atimensec = (uint32_t)status->st_atim.tv_nsec,
    .mtimensec = (uint32_t)status->st_mtim.tv_nsec, .ctimensec = (uint32_t)status->st_ctim.tv_nsec,
    .mode = status->st_mode, .nlink = (uint32_t)status->st_nlink, .uid = status->st_uid,
    .gid = status->st_gid, .rdev = (uint32_t)status->st_rdev, .blksize = 4096 };
}

// The name as it is stored in a folder: in another case if there is none in this one and the disk ignores
// case. It is valid until the next call.
static const char *stored(const struct node *folder, const char *name) {
  static char found[maxNameLength];
  if (!ignoresCase || faccessat(folder->file, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) return name;
  int file = openat(folder->file, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = file < 0 ? NULL : fdopendir(file);
  if (!list) return name;
  for (struct dirent *entry; (entry = readdir(list));) {
    if (strcasecmp(entry->d_name, name) != 0) continue;
    snprintf(found, sizeof found, "%s", entry->d_name);
    name = found;
    break;
  }
  closedir(list);
  return name;
}

// Finds a name in a folder; returns an error or 0.
static int look(struct disk *disk, struct node *folder, const char *name, struct fuse_entry_out *entry) {
  name = stored(folder, name);
  int file = openat(folder->file, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (file < 0) return errno;
  if (fstat(file, &status) != 0) {
    int error = errno;
    close(file);
    return error;
  }
  struct node *node = disk->root.next;
  while (node && (node->inode != status.st_ino || node->device != status.st_dev)) node = node->next;
  if (node) {
    close(file);
  } else {
    node = calloc(1, sizeof *node);
    *node = (struct node){ .next = disk->root.next, .device = status.st_dev, .inode = status.st_ino,
                           .file = file };
    disk->root.next = node;
  }
  node->lookups++;
  snprintf(node->name, sizeof node->name, "%s", name);
  *entry = (struct fuse_entry_out){ .nodeid = (uintptr_t)node, .attr = attributes(&status) };
  return 0;
}

static void forget(struct disk *disk, uint64_t number, uint64_t count) {
  if (number == FUSE_ROOT_ID) return;
  struct node *node = find(disk, number);
  node->lookups -= count;
  if (node->lookups > 0) return;
  struct node *before = &disk->root;
  while (before->next != node) before = before->next;
  before->next = node->next;
  close(node->file);
  free(node);
}

static int status(const struct node *node, struct fuse_attr_out *out) {
  struct stat status;
  if (fstat(node->file, &status) != 0) return errno;
  *out = (struct fuse_attr_out){ .attr = attributes(&status) };
  return 0;
}

static int setAttributes(struct node *node, const struct fuse_setattr_in *in) {
  char name[32];
  path(node, name);
  if (in->valid & FATTR_SIZE) {
    willWrite(node, (off_t)in->size, 0, (off_t)in->size);
    if (truncate(name, (off_t)in->size) != 0) return errno;
  }
  if (in->valid & (FATTR_UID | FATTR_GID)) {
    uid_t user = in->valid & FATTR_UID ? in->uid : (uid_t)-1;
    gid_t group = in->valid & FATTR_GID ? in->gid : (gid_t)-1;
    if (fchownat(node->file, "", user, group, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0) return errno;
  }
  if (in->valid & FATTR_MODE && chmod(name, in->mode & 07777) != 0) return errno;
  if (in->valid & (FATTR_ATIME | FATTR_MTIME)) {
    struct timespec times[] = { { .tv_nsec = UTIME_OMIT }, { .tv_nsec = UTIME_OMIT } };
    if (in->valid & FATTR_ATIME) times[0] = (struct timespec){ (time_t)in->atime, in->atimensec };
    if (in->valid & FATTR_MTIME) times[1] = (struct timespec){ (time_t)in->mtime, in->mtimensec };
    if (in->valid & FATTR_ATIME_NOW) times[0].tv_nsec = UTIME_NOW;
    if (in->valid & FATTR_MTIME_NOW) times[1].tv_nsec = UTIME_NOW;
    if (utimensat(AT_FDCWD, name, times, 0) != 0) return errno;
  }
  return 0;
}

static void readFolder(const struct request *request, const struct fuse_read_in *in) {
  const struct fuse_in_header *header = (const void *)request->bytes;
  DIR *folder = (DIR *)(uintptr_t)in->fh;
  static _Alignas(8) char bytes[64 << 10];
  size_t length = 0, limit = in->size < sizeof bytes ? in->size : sizeof bytes;
  seekdir(folder, (long)in->offset);
  for (struct dirent *entry; (entry = readdir(folder));) {
    size_t count = strlen(entry->d_name), size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + count);
    if (length + size > limit) break;
    struct fuse_dirent *out = (void *)(bytes + length);
    memset(out, 0, size);
    *out = (struct fuse_dirent){ .ino = entry->d_ino, .off = (uint64_t)telldir(folder),
                                 .namelen = (uint32_t)count, .type = entry->d_type };
    memcpy(out->name, entry->d_name, count);
    length += size;
  }
  reply(request->disk, header->unique, 0, bytes, length);
}

// Makes an entry of a folder; returns an error or 0.
static int make(
    struct disk *disk, struct node *folder, const char *name, int result, struct fuse_entry_out *entry) {
  if (result != 0) return errno;
  noteMade(disk, folder->file, name);
  return look(disk, folder, name, entry);
}

// Not FUSE_ASYNC_READ: with it the kernel reads ahead on behalf of no process, so that killing one does
// not interrupt a read that hangs; and whoever opens the same file meanwhile waits for its pages, even
// if killed.
static void begin(struct disk *disk, uint64_t unique, const struct fuse_init_in *in) {
  struct fuse_init_out out = {
    .major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_readahead = in->max_readahead,
    .flags = FUSE_BIG_WRITES, .max_background = 64, .congestion_threshold = 48,
    .max_write = maxWriteLength, .time_gran = 1 };
  reply(disk, unique, 0, &out, sizeof out);
}

static int openFlags(uint32_t flags) {
  // A power cut reads what was written over. The kernel says where an appended piece goes.
  int access = (flags & O_ACCMODE) == O_RDONLY ? O_RDONLY : O_RDWR;
  return access | (int)(flags & O_TRUNC) | O_CLOEXEC;
}

const char *nameOf(const struct request *request) {
  const struct fuse_in_header *header = (const void *)request->bytes;
  const char *body = request->bytes + sizeof *header;
  switch (header->opcode) {
    case FUSE_LOOKUP: case FUSE_UNLINK: case FUSE_RMDIR: case FUSE_SYMLINK: return body;
    case FUSE_CREATE: return body + sizeof(struct fuse_create_in);
    case FUSE_MKDIR: return body + sizeof(struct fuse_mkdir_in);
    case FUSE_RENAME: return body + sizeof(struct fuse_rename_in);
    case FUSE_RENAME2: return body + sizeof(struct fuse_rename2_in);
    default: return find(request->disk, header->nodeid)->name;
  }
}

void perform(struct request *request) {
  struct disk *disk = request->disk;
  const struct fuse_in_header *header = (const void *)request->bytes;
  const void *body = request->bytes + sizeof *header;
  uint64_t unique = header->unique;
  if (header->opcode == FUSE_INIT) return begin(disk, unique, body);
  struct node *node = header->nodeid ? find(disk, header->nodeid) : NULL;
  char name[32] = "";
  if (node) path(node, name);
  struct fuse_entry_out entry = { 0 };
  struct fuse_attr_out attribute;
  struct fuse_open_out opened = { 0 };
  int error = 0;
  switch (header->opcode) {
    case FUSE_FORGET: return forget(disk, header->nodeid, ((const struct fuse_forget_in *)body)->nlookup);
    case FUSE_BATCH_FORGET: {
      const struct fuse_batch_forget_in *in = body;
      const struct fuse_forget_one *one = (const void *)(in + 1);
      for (uint32_t count = 0; count < in->count; count++) forget(disk, one[count].nodeid, one[count].nlookup);
      return;
    }
    case FUSE_INTERRUPT: return interrupt(disk, ((const struct fuse_interrupt_in *)body)->unique);
    case FUSE_DESTROY: return;
    case FUSE_LOOKUP:
      error = look(disk, node, body, &entry);
      return reply(disk, unique, error, &entry, sizeof entry);
    case FUSE_GETATTR:
      error = status(node, &attribute);
      return reply(disk, unique, error, &attribute, sizeof attribute);
    case FUSE_SETATTR:
      error = setAttributes(node, body);
      if (error == 0) error = status(node, &attribute);
      return reply(disk, unique, error, &attribute, sizeof attribute);
    case FUSE_READLINK: {
      char target[4096];
      ssize_t count = readlinkat(node->file, "", target, sizeof target);
      return reply(disk, unique, count < 0 ? errno : 0, target, (size_t)count);
    }
    case FUSE_SYMLINK: {
      const char *link = body, *target = link + strlen(link) + 1;
      error = make(disk, node, link, symlinkat(target, node->file, link), &entry);
      return reply(disk, unique, error, &entry, sizeof entry);
    }
    case FUSE_MKDIR: {
      const struct fuse_mkdir_in *in = body;
      const char *made = (const void *)(in + 1);
      error = make(disk, node, made, mkdirat(node->file, made, in->mode & ~in->umask), &entry);
      return reply(disk, unique, error, &entry, sizeof entry);
    }
    case FUSE_LINK: {
      const struct fuse_link_in *in = body;
      const char *made = (const void *)(in + 1);
      path(find(disk, in->oldnodeid), name);
      int result = linkat(AT_FDCWD, name, node->file, made, AT_SYMLINK_FOLLOW);
      error = make(disk, node, made, result, &entry);
      return reply(disk, unique, error, &entry, sizeof entry);
    }
    case FUSE_UNLINK:
    case FUSE_RMDIR: return reply(disk, unique, removeKept(disk, node->file, stored(node, body)), NULL, 0);
    case FUSE_RENAME:
    case FUSE_RENAME2: {
      bool hasFlags = header->opcode == FUSE_RENAME2;
      const struct fuse_rename2_in *in = body;
      const char *old = (const char *)body + (hasFlags ? sizeof *in : sizeof(struct fuse_rename_in));
      const char *new = old + strlen(old) + 1;
      int folder = find(disk, in->newdir)->file;
      error = renameKept(disk, node->file, stored(node, old), folder, new, hasFlags ? in->flags : 0);
      return reply(disk, unique, error, NULL, 0);
    }
    case FUSE_CREATE: {
      const struct fuse_create_in *in = body;
      const char *made = (const void *)(in + 1);
      bool isNew = faccessat(node->file, made, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
      int flags = openFlags(in->flags) | O_CREAT | (int)(in->flags & O_EXCL) | O_NOFOLLOW;
      int file = openat(node->file, made, flags, in->mode & ~in->umask);
      if (file < 0) return reply(disk, unique, errno, NULL, 0);
      if (isNew) noteMade(disk, node->file, made);
      error = look(disk, node, made, &entry);
      opened.fh = (uint64_t)file;
      char both[sizeof entry + sizeof opened];
      memcpy(both, &entry, sizeof entry);
      memcpy(both + sizeof entry, &opened, sizeof opened);
      return reply(disk, unique, error, both, sizeof both);
    }
    case FUSE_OPEN: {
      const struct fuse_open_in *in = body;
      int file = open(name, openFlags(in->flags));
      opened.fh = (uint64_t)file;
      // The kernel's page cache would take a short read for the end of the file.
      if (hasShortReads()) opened.open_flags = FOPEN_DIRECT_IO;
      return reply(disk, unique, file < 0 ? errno : 0, &opened, sizeof opened);
    }
    case FUSE_READ: {
      const struct fuse_read_in *in = body;
      static char bytes[1 << 20];
      size_t most = in->size < sizeof bytes ? in->size : sizeof bytes;
      if (request->limit && request->limit < most) most = request->limit;
      ssize_t count = pread((int)in->fh, bytes, most, (off_t)in->offset);
      return reply(disk, unique, count < 0 ? errno : 0, bytes, (size_t)count);
    }
    case FUSE_WRITE: {
      const struct fuse_write_in *in = body;
      willWrite(node, (off_t)in->offset, in->size, -1);
      ssize_t count = pwrite((int)in->fh, in + 1, in->size, (off_t)in->offset);
      struct fuse_write_out out = { .size = (uint32_t)count };
      return reply(disk, unique, count < 0 ? errno : 0, &out, sizeof out);
    }
    case FUSE_FSYNC:
    case FUSE_FSYNCDIR: noteSynced(node); return reply(disk, unique, 0, NULL, 0);
    case FUSE_FLUSH: return reply(disk, unique, 0, NULL, 0);
    case FUSE_RELEASE:
      close((int)((const struct fuse_release_in *)body)->fh);
      return reply(disk, unique, 0, NULL, 0);
    case FUSE_OPENDIR: {
      int file = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      DIR *folder = file < 0 ? NULL : fdopendir(file);
      opened.fh = (uintptr_t)folder;
      return reply(disk, unique, folder ? 0 : errno, &opened, sizeof opened);
    }
    case FUSE_READDIR: return readFolder(request, body);
    case FUSE_RELEASEDIR:
      closedir((DIR *)(uintptr_t)((const struct fuse_release_in *)body)->fh);
      return reply(disk, unique, 0, NULL, 0);
    case FUSE_STATFS: {
      struct statfs space;
      if (fstatfs(disk->root.file, &space) != 0) return reply(disk, unique, errno, NULL, 0);
      struct fuse_statfs_out out = { .st = {
        .blocks = space.f_blocks, .bfree = space.f_bfree, .bavail = space.f_bavail,
        .files = space.f_files, .ffree = space.f_ffree, .bsize = (uint32_t)space.f_bsize,
        .namelen = 255, .frsize = (uint32_t)space.f_frsize } };
      return reply(disk, unique, 0, &out, sizeof out);
    }
    // The kernel does without: extended attributes, locks of other machines, copies by the disk.
    default: return reply(disk, unique, ENOSYS, NULL, 0);
  }
}
