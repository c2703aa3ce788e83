#ifndef C_ARGUMENTS_H
#define C_ARGUMENTS_H

// The program's arguments as the kernel handed them over. Swift reads them from /proc/self/cmdline,
// and has none where /proc is not mounted: a program that starts itself again with an argument
// would never end doing so.

/// How many arguments there are, the program's name among them.
int program_argument_count(void);

/// An argument, whose bytes need not be UTF-8, or NULL if there are not as many.
const char *program_argument(int index);

#endif
