import TestSupport

extension Diary {
  /// Writes one entry into the store and clears the callbacks that this recorded.
  func seed(_ stack: Stack) throws {
    try stack.seed { $0.insert(entity)["text"] = "seeded" }
    journal.clear()
  }
}
