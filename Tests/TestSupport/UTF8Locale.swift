import Glibc

/// The locale in which text is measured; tests do not rely on the machine's.
package enum UTF8Locale {
  /// Makes the C library count wide and combining characters as terminals do.
  package static func use() { setlocale(LC_CTYPE, "C.UTF-8") }
}
