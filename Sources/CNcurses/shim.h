#ifndef PHOTOGRID_CNCURSES_SHIM_H
#define PHOTOGRID_CNCURSES_SHIM_H

// Wide characters must be asked for before any curses header.
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#include <locale.h>
#include <ncursesw/ncurses.h>
#include <stdio.h>
#include <string.h>

// Global variables, computed macros and function-like macros, which Swift cannot import.

// The same type in Swift, whether the headers declare WINDOW as complete or as opaque.
typedef WINDOW *curses_window;

static inline curses_window curses_stdscr(void) { return stdscr; }
static inline curses_window curses_curscr(void) { return curscr; }

// The key code of a function key, from 0 to 63.
static inline int curses_key_f(int number) { return KEY_F(number); }

static inline int curses_bold(void) { return (int)A_BOLD; }
static inline int curses_dim(void) { return (int)A_DIM; }
static inline chtype curses_reverse(void) { return A_REVERSE; }

static inline int curses_color_pair(short pair) { return (int)COLOR_PAIR(pair); }
static inline int curses_colors(void) { return COLORS; }

// Returns a string capability of the terminal's terminfo entry, such as "cup"; NULL if it has none.
//
// tigetstr returns NULL for a string that the entry lacks, and (char *)-1 for a name that is not
// that of a string.
static inline const char *curses_string(const char *name) {
  char *value = tigetstr((char *)name);
  return value == (char *)-1 ? NULL : value;
}

static inline int curses_has_string(const char *name) { return curses_string(name) != NULL; }

// Returns 1 if ncurses can dim text: if the terminal can, and the entry's string for all attributes, if
// it has one, does so. That of kitty in ncurses 6.4 does not.
static inline int curses_has_dim(void) {
  const char *all = curses_string("sgr");
  return curses_has_string("dim") && (all == NULL || strstr(all, "%p5") != NULL);
}

#include <ncursesw/term.h>

// Returns the number of colors in the terminfo entry of a terminal type; -1 if it has no number,
// or there is no entry.
//
// Sets `is_direct` to 1 if colors are given as 24 bits: by the flag Tc (tmux), or by RGB
// (ncurses), which may be a flag, a number or a string. The entry of an open ncurses screen stays
// in use.
static inline int curses_color_count(const char *type, int *is_direct) {
    TERMINAL *before = cur_term;
    int fault = 0;
    *is_direct = 0;
    if (setupterm(type, 1, &fault) != OK) return -1;
    int count = tigetnum("colors");
    *is_direct = tigetflag("Tc") > 0 || tigetflag("RGB") > 0 || tigetnum("RGB") > 0
        || curses_has_string("RGB");
    del_curterm(set_curterm(before));
    return count;
}

#endif
