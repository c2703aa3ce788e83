#define _GNU_SOURCE
#include "CConfinement.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

// The files and folders of the system by which libraries are loaded and commands started. None holds
// what users own. The files of a process in /proc are guarded by the kernel, and open files have names
// there.
static const char *const system_paths[] = {
  "/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache",
  "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/fonts", "/etc/ImageMagick-6",
  "/etc/ImageMagick-7", "/var/cache/fontconfig", "/proc", "/dev/null", "/dev/urandom",
};

// Where the view is built: a folder that every system has, and that is not a part of it.
static const char *const place = "/tmp";

// Makes the folders above a path in the view, and an empty folder or file at the path itself.
static int make_place(const char *path, int is_folder) {
  char name[PATH_MAX];
  if (snprintf(name, sizeof name, "%s%s", place, path) >= (int)sizeof name) return -1;
  for (char *end = strchr(name + strlen(place) + 1, '/'); end; end = strchr(end + 1, '/')) {
    *end = 0;
    if (mkdir(name, 0755) != 0 && errno != EEXIST) return -1;
    *end = '/';
  }
  if (is_folder) return mkdir(name, 0755) == 0 || errno == EEXIST ? 0 : -1;
  int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  return file < 0 ? -1 : close(file);
}

// Shows a file or folder in the view, if there is one.
static int show(const char *path) {
  struct stat status;
  char name[PATH_MAX];
  if (stat(path, &status) != 0) return 0;
  if (make_place(path, S_ISDIR(status.st_mode)) != 0) return -1;
  if (snprintf(name, sizeof name, "%s%s", place, path) >= (int)sizeof name) return -1;
  return mount(path, name, NULL, MS_BIND | MS_REC, NULL);
}

// Shows the folder of a library that is loaded already, unless it is in one that is shown.
static int show_folder_of(struct dl_phdr_info *library, size_t size, void *unused) {
  (void)size, (void)unused;
  char folder[PATH_MAX];
  if (!library->dlpi_name || library->dlpi_name[0] != '/') return 0;
  if (snprintf(folder, sizeof folder, "%s", library->dlpi_name) >= (int)sizeof folder) return 0;
  char *end = strrchr(folder, '/');
  *end = 0;
  for (size_t index = 0; index < sizeof system_paths / sizeof *system_paths; index++) {
    size_t length = strlen(system_paths[index]);
    if (strncmp(folder, system_paths[index], length) == 0
        && (folder[length] == '/' || folder[length] == 0))
      return 0;
  }
  // The loader takes some libraries from the folder of the program.
  return end == folder ? 0 : show(folder);
}

int confinement_show_libraries(void) {
  if (unshare(CLONE_NEWNS) != 0) return -1;
  // Nothing that is mounted here appears elsewhere.
  if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) return -1;
  if (mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755") != 0) return -1;
  for (size_t index = 0; index < sizeof system_paths / sizeof *system_paths; index++)
    if (show(system_paths[index]) != 0) return -1;
  if (dl_iterate_phdr(show_folder_of, NULL) != 0) return -1;
  return chroot(place) == 0 && chdir("/") == 0 ? 0 : -1;
}
