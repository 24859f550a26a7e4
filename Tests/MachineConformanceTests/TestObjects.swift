import TestSupport

/// A number without any lock of its own: whoever changes it must have taken turns.
// `@unchecked`: that the queue or lock under test keeps the threads apart is the law; the thread sanitizer sees if not.
final class UnguardedNumber: @unchecked Sendable {
  var value = 0
}

/// Writes a line when it dies.
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

/// An error of a type of its own.
struct Refusal: Error, Equatable {
  var number: Int
}
