#ifndef PHOTOGRID_CNCURSES_SHIM_H
#define PHOTOGRID_CNCURSES_SHIM_H

// Wide characters must be asked for before any curses header.
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#include <locale.h>
#include <ncursesw/ncurses.h>
#include <stdio.h>

// What Swift cannot import: global variables, computed macros, function-like macros. No state.

// One Swift spelling whether WINDOW is a complete type or opaque.
typedef WINDOW *curses_window;

static inline curses_window curses_stdscr(void) { return stdscr; }
static inline curses_window curses_curscr(void) { return curscr; }

static inline int curses_key_f(int number) { return KEY_F(number); }

static inline int curses_bold(void) { return (int)A_BOLD; }
static inline int curses_dim(void) { return (int)A_DIM; }
static inline chtype curses_reverse(void) { return A_REVERSE; }

// What tigetstr returns is NULL for "not in this terminal" and (char *)-1 for "not a string".
static inline int curses_has_string(const char *name) {
  char *value = tigetstr((char *)name);
  return value != NULL && value != (char *)-1;
}

#include <ncursesw/term.h>

// How many colours a kind of terminal has, by terminfo; -1 where it does not say. Whether they are
// given by 24 bits: tmux's Tc is a flag, ncurses's RGB of any type. An open session keeps its own
// description.
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
