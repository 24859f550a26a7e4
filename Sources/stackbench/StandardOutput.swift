import Foundation
import Glibc

/// Standard output, as far as what is printed depends on what it is.
enum StandardOutput {
  /// Colour is for terminals, and for those who have not asked for none.
  static var usesColour: Bool {
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }
}
