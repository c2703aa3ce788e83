import Glibc

/// The locale that text is measured in; tests do not rely on the machine's.
package enum UTF8Locale {
  /// Has the C library count wide and combining characters as terminals do.
  package static func use() { setlocale(LC_CTYPE, "C.UTF-8") }
}
