import Testing

/// The kind of store that the stacks of a test have.
enum StoreKind: String, CaseIterable, Sendable {
  case sqlite = "SQLite"
  case inMemory = "in memory"

  /// The kind for the stacks that the running test makes.
  @TaskLocal static var current = sqlite
}

/// Runs each test of a suite once on every kind of store, because the laws of the engine hold on all of them.
///
/// A test checks `StoreKind.current` before expectations that hold for SQL only. Tests of traps start separate
/// processes, which use SQLite stores only and need no second run, so they are in suites without the trait.
struct BothStores: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> BothStores? {
    // The scope applies to the cases of a test, and not to the suite as well.
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
  /// Adds to each failure the kind of store on which it happened.
  static var namingTheStore: IssueHandlingTrait {
    .compactMapIssues { issue in
      var issue = issue
      issue.comments.append("on a store \(StoreKind.current.rawValue)")
      return issue
    }
  }
}
