// Rules about what goes wrong, and the commands that set them.

#define _GNU_SOURCE
#include "disk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { maxRules = 16 };

enum action { fails, hangs, isDead, delays, isShort, stops };

struct rule {
  enum action action;
  // The error, the milliseconds of a delay, or the bytes of a short read.
  unsigned value;
  char kind[16];
  // How many requests pass first, and how many are then affected: 0 for all.
  unsigned skip, count;
  // The end of the names that are affected.
  char suffix[maxNameLength];
};

static struct rule rules[maxRules];
static unsigned ruleCount;
static struct request *held;
bool isStopped;
bool ignoresCase;

static const struct { const char *name; int code; } errors[] = {
  { "EIO", EIO }, { "ESTALE", ESTALE }, { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT }, { "EROFS", EROFS },
  { "EACCES", EACCES }, { "ENOTCONN", ENOTCONN },
};

// The kinds of requests; "any" is each of them, "change" each that may change the disk.
static const struct { unsigned opcode; const char *name; bool isChange; } kinds[] = {
  { FUSE_LOOKUP, "lookup", false }, { FUSE_GETATTR, "status", false }, { FUSE_OPEN, "open", false },
  { FUSE_READ, "read", false }, { FUSE_OPENDIR, "list", false }, { FUSE_READDIR, "list", false },
  { FUSE_STATFS, "space", false }, { FUSE_READLINK, "link", false },
  { FUSE_SETATTR, "attributes", true }, { FUSE_SYMLINK, "create", true }, { FUSE_MKDIR, "create", true },
  { FUSE_LINK, "create", true }, { FUSE_CREATE, "create", true }, { FUSE_UNLINK, "remove", true },
  { FUSE_RMDIR, "remove", true }, { FUSE_RENAME, "rename", true }, { FUSE_RENAME2, "rename", true },
  { FUSE_WRITE, "write", true }, { FUSE_FSYNC, "sync", true }, { FUSE_FSYNCDIR, "sync", true },
  { FUSE_FLUSH, "flush", true },
};
enum { kindCount = sizeof kinds / sizeof *kinds };
static unsigned counts[kindCount];

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool isOfKind(unsigned index, const char *kind) {
  return strcmp(kind, "any") == 0 || strcmp(kind, kinds[index].name) == 0
      || (strcmp(kind, "change") == 0 && kinds[index].isChange);
}

// The rule that now affects a request; NULL without one.
static struct rule *ruleFor(const struct request *request) {
  const struct fuse_in_header *header = (const void *)request->bytes;
  unsigned index = 0;
  while (index < kindCount && kinds[index].opcode != header->opcode) index++;
  if (index == kindCount) return NULL;
  counts[index]++;
  const char *name = nameOf(request);
  for (struct rule *rule = rules; rule < rules + ruleCount; rule++) {
    size_t length = strlen(name), end = strlen(rule->suffix);
    if (!isOfKind(index, rule->kind) || end > length || strcmp(name + length - end, rule->suffix) != 0)
      continue;
    if (rule->skip > 0) {
      rule->skip--;
      continue;
    }
    if (rule->count == 0) return rule;
    if (rule->count == 1) continue;
    rule->count--;
    return rule;
  }
  return NULL;
}

static void hold(struct request *request, int64_t due, bool isInterruptible) {
  request->due = due;
  request->isInterruptible = isInterruptible;
  struct request **end = &held;
  while (*end) end = &(*end)->next;
  *end = request;
}

bool hasShortReads(void) {
  for (unsigned index = 0; index < ruleCount; index++) {
    if (rules[index].action == isShort) return true;
  }
  return false;
}

void serve(struct request *request) {
  const struct fuse_in_header *header = (const void *)request->bytes;
  struct rule *rule = ruleFor(request);
  if (rule) {
    switch (rule->action) {
      case hangs: return hold(request, -1, true);
      case isDead: return hold(request, -1, false);
      case delays: return hold(request, now() + rule->value, true);
      case isShort: request->limit = rule->value; break;
      case stops: isStopped = true; return hold(request, -1, false);
      case fails:
        reply(request->disk, header->unique, (int)rule->value, NULL, 0);
        free(request);
        return;
    }
  }
  perform(request);
  free(request);
}

int release(bool all) {
  int64_t time = now(), next = -1;
  for (struct request **index = &held; *index;) {
    struct request *request = *index;
    if (!all && (request->due < 0 || request->due > time)) {
      int64_t wait = request->due - time;
      if (request->due >= 0 && (next < 0 || wait < next)) next = wait;
      index = &request->next;
      continue;
    }
    *index = request->next;
    perform(request);
    free(request);
  }
  return (int)next;
}

void interrupt(struct disk *disk, uint64_t unique) {
  for (struct request **index = &held; *index; index = &(*index)->next) {
    struct request *request = *index;
    const struct fuse_in_header *header = (const void *)request->bytes;
    if (header->unique != unique || request->disk != disk || !request->isInterruptible) continue;
    *index = request->next;
    reply(disk, unique, EINTR, NULL, 0);
    free(request);
    return;
  }
}

static bool addRule(const char *command) {
  char action[16];
  struct rule rule = { .count = 0 };
  if (ruleCount == maxRules
      || sscanf(command, "%15s %15s %u %u %255s", action, rule.kind, &rule.skip, &rule.count, rule.suffix) < 4)
    return false;
  // One more than is left, since 0 means all.
  if (rule.count > 0) rule.count++;
  char *value = strchr(action, '=');
  if (value) {
    *value++ = 0;
    rule.value = (unsigned)atoi(value);
  }
  if (strcmp(action, "hang") == 0) rule.action = hangs;
  else if (strcmp(action, "dead") == 0) rule.action = isDead;
  else if (strcmp(action, "stop") == 0) rule.action = stops;
  else if (strcmp(action, "delay") == 0) rule.action = delays;
  else if (strcmp(action, "short") == 0) rule.action = isShort;
  else {
    rule.action = fails;
    for (size_t index = 0; index < sizeof errors / sizeof *errors; index++)
      if (strcmp(action, errors[index].name) == 0) rule.value = (unsigned)errors[index].code;
    if (rule.value == 0) return false;
  }
  rules[ruleCount++] = rule;
  return true;
}

static void disconnect(void) {
  for (unsigned index = 0; index < diskCount; index++) {
    if (disks[index].device >= 0) close(disks[index].device);
    disks[index].device = -1;
  }
  while (held) {
    struct request *next = held->next;
    free(held);
    held = next;
  }
}

void obey(const char *command, char *answer, size_t length) {
  unsigned number = 0;
  char kind[16];
  if (strcmp(command, "clear") == 0) {
    ruleCount = 0;
    isStopped = false;
    release(true);
  } else if (strcmp(command, "held") == 0) {
    for (struct request *request = held; request; request = request->next) number++;
  } else if (sscanf(command, "count %15s", kind) == 1) {
    for (unsigned index = 0; index < kindCount; index++)
      if (isOfKind(index, kind)) number += counts[index];
  } else if (strcmp(command, "stopped") == 0) {
    number = isStopped;
  } else if (strcmp(command, "nocase") == 0) {
    ignoresCase = true;
  } else if (strcmp(command, "sync") == 0) {
    forgetLosses();
  } else if (strcmp(command, "disconnect") == 0) {
    disconnect();
  } else if (sscanf(command, "cut %u", &number) == 1) {
    // Nobody sees the disk between its loss and its end.
    disconnect();
    number = cutPower(number);
  } else if (!addRule(command)) {
    snprintf(answer, length, "unknown: %s", command);
    return;
  }
  snprintf(answer, length, "%u", number);
}
