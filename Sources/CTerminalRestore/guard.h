#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>
#include <termios.h>

// How a process restores the terminal: the settings from before the program and the program's own, and
// the bytes that end the program's screen, and drag and drop.
struct restoration {
  int terminal;
  struct termios saved;
  struct termios raw;
  // Writes the bytes that end the program's screen, and all else that has begun.
  void (*write_teardown)(int fd, int begun);
};

// Writes all bytes, but gives up when a non-blocking descriptor accepts none for 0.2 seconds.
void write_bounded(int fd, const char *bytes, size_t count);

// Starts the guard; returns 0 or an `errno`.
int guard_start(const struct restoration *restoration, int begun);

// Tells the guard, if there is one, what the program has begun in the terminal.
void guard_tell(int begun);

// Ends the guard, if there is one, and leaves the terminal alone.
void guard_end(void);

#endif
