#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>
#include <termios.h>

// How a process restores the terminal: the settings from before the program and the program's own, and
// the bytes that end the program's screen.
struct restoration {
  int terminal;
  struct termios saved;
  struct termios raw;
  const char *teardown;
  size_t teardown_count;
};

// Writes all bytes, but gives up when a non-blocking descriptor accepts none for 0.2 seconds.
void write_bounded(int fd, const char *bytes, size_t count);

// Starts the guard; returns 0 or an `errno`.
int guard_start(const struct restoration *restoration, int screen_taken);

// Tells the guard, if there is one, whether the terminal shows the program's screen.
void guard_tell(int screen_taken);

// Ends the guard, if there is one, and leaves the terminal alone.
void guard_end(void);

#endif
