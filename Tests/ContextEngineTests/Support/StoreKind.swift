import Testing

/// On which kind of store the stacks of a test stand.
enum StoreKind: String, CaseIterable, Sendable {
  case sqlite = "SQLite"
  case inMemory = "in memory"

  /// The kind for the stacks that the running test makes.
  @TaskLocal static var current = sqlite
}

/// Runs each test of a suite once on every kind of store: the laws of the engine hold on all.
///
/// What a test says of SQL alone it says where `StoreKind.current` is `.sqlite`. Tests of traps start processes of their
/// own, which know SQLite stores only, and need no second run: they stand in suites without the trait.
struct BothStores: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> BothStores? {
    // Around the cases of a test, not around the suite as well.
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for kind in StoreKind.allCases {
      try await StoreKind.$current.withValue(kind) { try await function() }
    }
  }
}

extension Trait where Self == BothStores {
  static var onBothStores: BothStores { BothStores() }
}

extension Trait where Self == IssueHandlingTrait {
  /// Says with each failure on which kind of store it happened.
  static var namingTheStore: IssueHandlingTrait {
    .compactMapIssues { issue in
      var issue = issue
      issue.comments.append("on a store \(StoreKind.current.rawValue)")
      return issue
    }
  }
}
