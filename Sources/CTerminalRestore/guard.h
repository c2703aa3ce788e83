#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>
#include <termios.h>

// How a process restores the terminal: the settings from before the program and the program's own, and
// how to end the program's screen.
struct restoration {
  int terminal;
  struct termios saved;
  struct termios raw;
  // Writes the bytes that end the program's screen and all other features that are active.
  void (*write_teardown)(int fd, int features);
};

// Writes all bytes, but gives up when a non-blocking descriptor accepts none for 0.2 seconds.
void write_bounded(int fd, const char *bytes, size_t count);

// Starts the guard; returns 0 or an `errno`.
int guard_start(const struct restoration *restoration, int features);

// Tells the guard, if there is one, which features of the terminal are active.
void guard_tell(int features);

// Ends the guard, if there is one, and leaves the terminal alone.
void guard_end(void);

#endif
