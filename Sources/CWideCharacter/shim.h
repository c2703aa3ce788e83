// Glibc's module leaves this header out; without the macro it hides `wcwidth`.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <wchar.h>
