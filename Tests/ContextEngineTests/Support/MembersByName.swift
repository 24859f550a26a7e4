import ContextEngine
import Testing

/// Suites over members whose names are unique.
protocol MembersByName {}

extension MembersByName {
  func error(_ body: () throws -> Void) -> PersistenceError? {
    do {
      try body()
      return nil
    } catch { return error as? PersistenceError }
  }

  /// Saves Ada, who is 36.
  func seed(_ stack: Stack) throws {
    try stack.seed { context in context.insertMember("ada", age: 36, note: "stored") }
  }
}
