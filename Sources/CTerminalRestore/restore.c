#define _GNU_SOURCE
#include "CTerminalRestore.h"
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// One sequence for each mode: a terminal that does not support one of several modes in a sequence
// may ignore them all.
#define MODES_OFF \
  "\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1016l" \
  "\033[?1004l\033[?2004l\033[?2048l\033[?2031l\033[?2033l"

// What turns off the features that only some terminals have, where they are active.
static const struct {
  int bit;
  size_t count;
  const char *bytes;
} end_sequences[] = {
#define END(bit, bytes) {bit, sizeof bytes - 1, bytes}
  END(TERMINAL_RESTORE_KEYBOARD, "\033[<u"),
  END(TERMINAL_RESTORE_POINTER, "\033]22;<\033\\"),
  END(TERMINAL_RESTORE_PROGRESS, "\033]9;4;0\033\\"),
  // Drops are no longer accepted, and drags no longer offered.
  END(TERMINAL_RESTORE_DRAGS, "\033]72;t=A\033\\\033]72;t=o:x=2\033\\"),
#undef END
};

// What is written after a crash, or after the program was killed, in this order:
//
//   CAN, ST, ?2026l     end the sequence that was cut short and the synchronized update around it
//   MODES_OFF           reports of mouse, focus, paste, size, colors and visibility off
//   end_sequences       other features that are active
//   23;0t  r  ?1l  >    previous window title, whole screen scrolls, normal cursor keys and keypad
//   ?7h  (B SI  0m      automatic wrap, ASCII characters, default colors
//   999;1H  ?25h        cursor in the last row (for terminals without alternate screen), and shown
//   ?1049l  0m  CR  K   alternate screen left, default colors, blank row for the shell's prompt
static const char teardown_start[] = "\030\033\\\033[?2026l" MODES_OFF;
static const char teardown_rest[] =
  "\033[23;0t\033[r\033[?1l\033>\033[?7h\033(B\017\033[0m\033[999;1H\033[?25h\033[?1049l\033[0m\r\033[K";

static const int crash_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
// Other signals whose default action ends the process. Real-time signals do so too.
static const int ending_signals[] = {
  SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGSYS,
#ifdef SIGPWR
  SIGPWR,
#endif
#ifdef SIGSTKFLT
  SIGSTKFLT,
#endif
};
static const int piped_signals[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct sigaction previous_crash[COUNT(crash_signals)];
static struct sigaction previous_ending[COUNT(ending_signals)];
static struct sigaction previous_piped[COUNT(piped_signals)];
static struct sigaction previous_pipe_closed;
static stack_t previous_stack;
static char handler_stack[64 * 1024];

static int begun;
static int terminal_fd = -1;
static int real_error_fd = -1;
static int captured_fd = -1;
static int signal_pipe[2] = {-1, -1};
static struct termios saved;
static struct termios raw;
static volatile sig_atomic_t active_features;
static atomic_flag crashing = ATOMIC_FLAG_INIT;

static int set_attributes(const struct termios *attributes) {
  int result;
  // Not TCSADRAIN, which would wait for a terminal that hangs.
  do result = tcsetattr(terminal_fd, TCSANOW, attributes);
  while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
}

// The length in bytes of the UTF-8 character at `at`, of which `left` bytes exist; 0 if it is
// malformed, a control character other than newline and tab, or reverses the order of text.
static size_t printable_length(const unsigned char *at, size_t left) {
  unsigned char lead = at[0];
  if (lead == '\n' || lead == '\t') return 1;
  if (lead < 0x20 || lead == 0x7F) return 0;
  if (lead < 0x80) return 1;
  size_t length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (lead > 0xF4 || length == 0 || length > left) return 0;
  for (size_t index = 1; index < length; index++)
    if ((at[index] & 0xC0) != 0x80) return 0;
  // Longer encodings than the shortest, which some terminals decode to controls, then surrogates,
  // then numbers above U+10FFFF.
  if ((lead == 0xE0 && at[1] < 0xA0) || (lead == 0xF0 && at[1] < 0x90)) return 0;
  if (lead == 0xED && at[1] >= 0xA0) return 0;
  if (lead == 0xF4 && at[1] >= 0x90) return 0;
  // C1 controls, then the marks that reverse the order of text: U+202A to 202E, U+2066 to 2069.
  if (lead == 0xC2 && at[1] < 0xA0) return 0;
  if (lead == 0xE2 && at[1] == 0x80 && at[2] >= 0xAA && at[2] <= 0xAE) return 0;
  if (lead == 0xE2 && at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9) return 0;
  return length;
}

void terminal_restore_print_captured(void) {
  enum { limit = 4096 };
  static char tail[limit];
  static char shown[limit + 1];
  if (captured_fd < 0 || real_error_fd < 0) return;
  off_t end = lseek(captured_fd, 0, SEEK_END);
  if (end <= 0) return;
  off_t start = end > limit ? end - limit : 0;
  ssize_t count = pread(captured_fd, tail, limit, start);
  if (count <= 0) return;
  size_t length = 0;
  for (size_t index = 0; index < (size_t)count;) {
    size_t step = printable_length((const unsigned char *)tail + index, (size_t)count - index);
    if (step == 0) {
      shown[length++] = '?';
      index++;
    } else {
      memcpy(shown + length, tail + index, step);
      length += step;
      index += step;
    }
  }
  if (shown[length - 1] != '\n') shown[length++] = '\n';
  write_bounded(real_error_fd, shown, length);
  // So that nothing is printed twice. Writers append, so they go on at the new end of the file.
  if (ftruncate(captured_fd, 0) != 0) captured_fd = -1;
}

static const char *signal_name(int number) {
  switch (number) {
  case SIGILL: return "SIGILL";
  case SIGTRAP: return "SIGTRAP";
  case SIGSEGV: return "SIGSEGV";
  case SIGBUS: return "SIGBUS";
  case SIGFPE: return "SIGFPE";
  case SIGABRT: return "SIGABRT";
  default: return "a signal";
  }
}

// Ends the process by the signal's default action, so that the shell sees which signal ended it.
// Returning from the handler is not enough: a signal sent by kill does not occur again.
static void die_of(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(number);
}

static void write_teardown(int fd, int features) {
  write_bounded(fd, teardown_start, sizeof teardown_start - 1);
  for (size_t index = 0; index < COUNT(end_sequences); index++)
    if (features & end_sequences[index].bit)
      write_bounded(fd, end_sequences[index].bytes, end_sequences[index].count);
  write_bounded(fd, teardown_rest, sizeof teardown_rest - 1);
}

static void give_back_screen(void) {
  if (!active_features) return;
  // From the background, changing the settings would stop the process instead.
  signal(SIGTTOU, SIG_IGN);
  // Otherwise a slow terminal would first have to read the pictures that are still queued.
  tcflush(terminal_fd, TCOFLUSH);
  write_teardown(terminal_fd, active_features);
  // A reply that is on its way should not end up at the shell's prompt.
  struct timespec moment = {.tv_nsec = 30000000};
  nanosleep(&moment, NULL);
  tcflush(terminal_fd, TCIFLUSH);
  set_attributes(&saved);
  guard_tell(0);
}

// Prints no message of its own: the sender knows about the signal, and the shell names it.
static void on_ending(int number, siginfo_t *information, void *context) {
  (void)information;
  (void)context;
  if (!atomic_flag_test_and_set(&crashing)) {
    give_back_screen();
    terminal_restore_print_captured();
  }
  die_of(number);
}

static void on_crash(int number, siginfo_t *information, void *context) {
  (void)information;
  (void)context;
  if (atomic_flag_test_and_set(&crashing)) {
    die_of(number);
    return;
  }
  give_back_screen();
  if (real_error_fd >= 0) {
    terminal_restore_print_captured();
    const char *name = signal_name(number);
    static const char before[] = "photogrid: crashed (";
    static const char after[] = "); the terminal was restored\n";
    write_bounded(real_error_fd, before, sizeof before - 1);
    write_bounded(real_error_fd, name, strlen(name));
    write_bounded(real_error_fd, after, sizeof after - 1);
  }
  die_of(number);
}

static void on_piped(int number, siginfo_t *information, void *context) {
  (void)information;
  (void)context;
  int kept = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe already holds more than enough to wake the loop.
  ssize_t ignored = write(signal_pipe[1], &byte, 1);
  (void)ignored;
  errno = kept;
}

// Not SIG_IGN, which programs started from here would inherit.
static void on_pipe_closed(int number) { (void)number; }

static int close_signal_pipe(int code) {
  close(signal_pipe[0]);
  close(signal_pipe[1]);
  signal_pipe[0] = signal_pipe[1] = -1;
  return code;
}

int terminal_restore_begin(int terminal, int standard_error, int captured) {
  if (begun) return EBUSY;
  if (tcgetattr(terminal, &saved) != 0) return errno;
  if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
  // If a standard descriptor was closed, the pipe may have got its number, which libraries write
  // to.
  for (int end = 0; end < 2; end++) {
    if (signal_pipe[end] > 2) continue;
    int moved = fcntl(signal_pipe[end], F_DUPFD_CLOEXEC, 3);
    if (moved < 0) return close_signal_pipe(errno);
    close(signal_pipe[end]);
    signal_pipe[end] = moved;
  }
  terminal_fd = terminal;
  real_error_fd = standard_error;
  captured_fd = captured;
  active_features = 0;
  raw = saved;
  cfmakeraw(&raw);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;

  stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  sigaltstack(&stack, &previous_stack);
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_piped;
  for (size_t index = 0; index < COUNT(piped_signals); index++)
    sigaction(piped_signals[index], &action, &previous_piped[index]);
  action.sa_sigaction = on_crash;
  for (size_t index = 0; index < COUNT(crash_signals); index++)
    sigaction(crash_signals[index], &action, &previous_crash[index]);
  action.sa_sigaction = on_ending;
  for (size_t index = 0; index < COUNT(ending_signals); index++)
    sigaction(ending_signals[index], &action, &previous_ending[index]);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigaction(number, &action, NULL);
  struct sigaction nothing = {.sa_handler = on_pipe_closed, .sa_flags = SA_RESTART};
  sigemptyset(&nothing.sa_mask);
  sigaction(SIGPIPE, &nothing, &previous_pipe_closed);
  begun = 1;
  return 0;
}

void terminal_restore_end(void) {
  if (!begun) return;
  active_features = 0;
  guard_end();
  for (size_t index = 0; index < COUNT(piped_signals); index++)
    sigaction(piped_signals[index], &previous_piped[index], NULL);
  for (size_t index = 0; index < COUNT(crash_signals); index++)
    sigaction(crash_signals[index], &previous_crash[index], NULL);
  for (size_t index = 0; index < COUNT(ending_signals); index++)
    sigaction(ending_signals[index], &previous_ending[index], NULL);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) signal(number, SIG_DFL);
  sigaction(SIGPIPE, &previous_pipe_closed, NULL);
  sigaltstack(&previous_stack, NULL);
  close_signal_pipe(0);
  terminal_fd = real_error_fd = captured_fd = -1;
  begun = 0;
}

int terminal_restore_signal_descriptor(void) { return signal_pipe[0]; }

void terminal_restore_set_active(int features) {
  if (active_features == features) return;
  active_features = features;
  guard_tell(features);
}

const char *terminal_restore_end_sequence(int bit) {
  for (size_t index = 0; index < COUNT(end_sequences); index++)
    if (end_sequences[index].bit == bit) return end_sequences[index].bytes;
  return NULL;
}

int terminal_restore_start_guard(void) {
  if (!begun) return EINVAL;
  struct restoration restoration = {
    .terminal = terminal_fd, .saved = saved, .raw = raw, .write_teardown = write_teardown,
  };
  return guard_start(&restoration, active_features);
}

int terminal_restore_make_raw(void) { return set_attributes(&raw); }

int terminal_restore_make_cooked(int discard_input) {
  if (discard_input) tcflush(terminal_fd, TCIFLUSH);
  return set_attributes(&saved);
}

void terminal_restore_stop_job(void) {
  struct sigaction stop = {.sa_handler = SIG_DFL};
  struct sigaction kept;
  sigemptyset(&stop.sa_mask);
  sigaction(SIGTSTP, &stop, &kept);
  // The whole process group, as Ctrl-Z does: the shell waits until all of a pipeline has stopped.
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &kept, NULL);
}

int terminal_restore_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

const char *terminal_restore_modes_off(void) { return MODES_OFF; }
