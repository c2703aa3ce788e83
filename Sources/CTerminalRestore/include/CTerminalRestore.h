#ifndef C_TERMINAL_RESTORE_H
#define C_TERMINAL_RESTORE_H

// Gives the terminal back whatever happens: what signal handlers must know lives here, in plain C,
// because a handler may not allocate, lock or call into a runtime.

/// Saves the terminal's settings, opens the signal pipe and installs all handlers.
///
/// `terminal` is written to in a crash and should not block; `captured` is the file that stands in
/// for standard error and `standard_error` the real one, each -1 if there is none. Returns 0, or an
/// errno; EBUSY if it was begun already.
int terminal_restore_begin(int terminal, int standard_error, int captured);

/// Puts back the handlers that were there before and closes the signal pipe.
void terminal_restore_end(void);

/// The end of the pipe where each caught signal arrives as one byte, its number; never blocks.
int terminal_restore_signal_descriptor(void);

/// Whether the screen is ours at the moment, so that a crash has something to give back.
void terminal_restore_set_screen_taken(int taken);

/// Bytes in, bytes out: no echo, no lines, no signals from keys. Returns 0 or an errno.
int terminal_restore_make_raw(void);

/// The settings saved at the beginning; with `discard_input`, unread input is dropped first.
int terminal_restore_make_cooked(int discard_input);

/// Stops the whole job as Ctrl-Z does elsewhere; returns once it was continued.
///
/// Returns at once where nobody could continue it (an orphaned process group).
void terminal_restore_stop_job(void);

/// Writes the end of what went to the captured file, made printable, to the real standard error.
void terminal_restore_print_captured(void);

/// An empty file in memory that programs started from here do not inherit, or -1 and errno.
int terminal_restore_memory_file(const char *name);

/// The sequence that switches off every private mode the program may have switched on, except
/// synchronized updates (2026).
const char *terminal_restore_modes_off(void);

#endif
