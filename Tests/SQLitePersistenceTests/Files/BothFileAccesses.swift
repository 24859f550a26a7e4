import SQLitePersistence
import Testing

/// Runs each test of a suite twice: with SQLite's own VFS and through the shim over it.
///
/// A law of stores does not depend on how their files are reached.
struct BothFileAccesses: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for fileAccess in [SQLiteStoreConfiguration.FileAccess.direct, .counted(passesSyncsOn: false)] {
      try await SQLiteStoreConfiguration.FileAccess.$underTest.withValue(fileAccess) { try await function() }
    }
  }
}

extension SuiteTrait where Self == BothFileAccesses {
  static var bothFileAccesses: Self { BothFileAccesses() }
}

extension SQLiteStoreConfiguration.FileAccess {
  /// How the running test reaches its files. Only the test's own thread knows.
  @TaskLocal static var underTest: Self = .direct
}
