// The C library's pseudo-terminals, which Glibc's own module hides behind a feature macro.
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern char *ptsname(int descriptor);
