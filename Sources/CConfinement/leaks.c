// With the address sanitizer, a process that ends is traced by another one that looks for leaks. A
// confined process must not be traced, so both would wait for each other forever. The search cannot
// be turned off by an environment variable, since workers do not inherit it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }
#endif
#endif
