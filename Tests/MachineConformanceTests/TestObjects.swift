import TestSupport

/// A number without a lock. Threads must take turns to change it.
// `@unchecked`: the queue or lock under test must keep the threads apart, which the thread sanitizer checks.
final class UnguardedNumber: @unchecked Sendable {
  var value = 0
}

/// Writes a line when it is released.
final class LastWords: Sendable {
  private let journal: Journal<String>

  init(in journal: Journal<String>) {
    self.journal = journal
  }

  deinit {
    journal.write("released")
  }

  func speak() {
    journal.write("ran")
  }
}

/// An error type that only the tests throw.
struct Refusal: Error, Equatable {
  var number: Int
}
