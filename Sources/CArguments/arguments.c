#include "CArguments.h"

#include <stddef.h>

static int argument_count;
static char **arguments;

// glibc hands a program's arguments to what runs before main.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int program_argument_count(void) { return argument_count; }

const char *program_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}
