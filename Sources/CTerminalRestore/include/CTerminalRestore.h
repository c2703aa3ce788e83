#ifndef C_TERMINAL_RESTORE_H
#define C_TERMINAL_RESTORE_H

// Restores the terminal even if the program crashes. Signal handlers and their state are in C,
// because a handler must not allocate memory, take a lock or call the Swift runtime.
//
// What the handlers do:
//
//   SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, …   write the signal's number into a pipe
//   SIGSEGV, SIGABRT and other crashes       restore the terminal, print a message, end the process
//   SIGUSR1, SIGALRM, real-time signals, …   restore the terminal, end the process
//   SIGPIPE                                  nothing
//
// SIGKILL has no handler, so another process, the guard, waits for the end of the program.

/// Saves the terminal's settings, opens the signal pipe and installs all handlers.
///
/// `terminal` is the descriptor that is written to after a crash; it should not block.
/// `standard_error` is the original standard error, and `captured` the file that standard error is
/// redirected to; each is -1 if there is none. Returns 0 or an `errno`: EBUSY if it is called
/// again before `terminal_restore_end`.
int terminal_restore_begin(int terminal, int standard_error, int captured);

/// Restores the previous handlers (for real-time signals the default action), and closes the signal
/// pipe. The terminal's settings stay as they are.
void terminal_restore_end(void);

/// The descriptor to read signals from: one byte for each, its number. Reading never blocks.
int terminal_restore_signal_descriptor(void);

/// The features of the terminal that a program turns on, as bits: a crash has to turn them off.
enum {
  /// The terminal shows the program's screen; nothing else is ended without it.
  TERMINAL_RESTORE_SCREEN = 1,
  /// A mode of kitty's keyboard protocol was pushed.
  TERMINAL_RESTORE_KEYBOARD = 2,
  /// A shape of the pointer was pushed (OSC 22).
  TERMINAL_RESTORE_POINTER = 4,
  /// The progress of work is shown (OSC 9;4).
  TERMINAL_RESTORE_PROGRESS = 8,
  /// Photos can be dragged out, and files dropped (kitty's OSC 72).
  TERMINAL_RESTORE_DRAGS = 16,
};

/// Sets the bits of the features that are active.
void terminal_restore_set_active(int features);

/// The control sequence that turns off the feature of a bit; nil for the screen's and unknown ones. It is
/// only for terminals in which the feature is active: others would pop what the shell has pushed.
const char *terminal_restore_end_sequence(int bit);

/// Starts the guard: a small process that restores the terminal if the program is killed, and ends with
/// the program.
///
/// Call it while the program has a single thread. Returns 0 or an `errno`: EBUSY if there is a guard
/// already.
int terminal_restore_start_guard(void);

/// Turns on raw mode: bytes arrive as they are typed, without echo, line editing or signals from
/// keys. Returns 0 or an `errno`.
int terminal_restore_make_raw(void);

/// Restores the settings that were saved at the beginning, after dropping unread input if
/// `discard_input` is not 0. Returns 0 or an `errno`.
int terminal_restore_make_cooked(int discard_input);

/// Stops the whole job, as Ctrl-Z does in other programs, and returns when it is continued.
///
/// Returns immediately if no shell could continue the job (an orphaned process group).
void terminal_restore_stop_job(void);

/// Writes the last 4 KB of the captured file, made printable, to the original standard error, and
/// empties the file.
void terminal_restore_print_captured(void);

/// Creates an empty file in memory that programs started later do not inherit.
///
/// `name` appears in lists of open files only. Returns a descriptor, or -1 with `errno` set.
int terminal_restore_memory_file(const char *name);

/// The control sequences that turn off all private modes that the program may have turned on,
/// except synchronized updates (2026).
const char *terminal_restore_modes_off(void);

#endif
