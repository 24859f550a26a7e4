import SQLitePersistence
import Testing

/// Runs each test of a suite twice: with SQLite's own VFS and through the shim over it.
///
/// The behaviour of stores does not depend on the way in which their files are accessed.
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
  /// The way in which the running test accesses its files. It is set in the test's own task only.
  @TaskLocal static var underTest: Self = .direct
}
