import Experiments
import Foundation
import MachineCore
import Testing
import Topologies

/// Printed wirings under the compiler, against the declarations of Core Data that they use.
@Suite(
  .enabled(if: SwiftCompiler.isThere, "no swiftc on the PATH: printed wirings are not compiled"), .serialized)
struct WiringCodeCompilerTests {
  private let compiler: PrintedCodeCompiler

  init() throws {
    compiler = try PrintedCodeCompiler()
  }

  typealias Change = @Sendable (inout WiringCodeOptions) -> Void

  /// Changes of settings that each change the code of every stack.
  static let everywhere: [Change] = [
    {
      $0.run.lookup = .record
      $0.run.mergePolicy = .error
      $0.run.decode = .import
      $0.run.fetchBatchSize = 0
    },
    {
      $0.run.lookup = .none
      $0.hasDeletions = false
      $0.run.lanes = 3
      $0.run.propertiesToFetch = ["name", "note"]
      $0.run.decode = .network
    },
    {
      $0.run.strategy = .batchInsert
      $0.records = .flat
      $0.hasDeletions = false
      $0.connectionPool = 1
      $0.journalMode = "delete"
      $0.synchronous = "full"
    },
  ]
  /// Changes of settings that concern stacks with a root.
  private static let rooted: [Change] = [
    { $0.run.storeSave = .every(.milliseconds(250)) }, { $0.run.storeSave = .idle(TimeSpan(nanoseconds: 1_500_000)) },
    { $0.run.storeSave = .atEnd },
  ]

  /// Prints stacks with the same settings and expects that they compile in one module.
  private func check(
    _ topologies: [Topology], as form: PrintedForm, _ dialects: [PrintedCodeCompiler.Dialect],
    changing change: Change = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(!topologies.isEmpty, sourceLocation: sourceLocation)
    let files = try topologies.enumerated().map { index, topology in
      try compiler.write(PrintedStack.code(of: topology, as: form, changing: change), to: "stack-\(index).swift")
    }
    for dialect in dialects {
      let outcome = try await compiler.compile(files, dialect)
      var options = PrintedStack.options
      change(&options)
      #expect(
        outcome.isSuccess, "\(dialect), \(options): \(outcome.errors.prefix(20))", sourceLocation: sourceLocation)
    }
  }

  /// Compiles the stacks with each pair of a form, a dialect and a kind of declarations. The code with signposts has
  /// every expression of the code without.
  @Test(arguments: [true, false])
  func `every stack and variant compiles in Swift 6 mode, with and without signposts`(isStrict: Bool) async throws {
    try await compiler.makeFrameworks(strict: isStrict)
    try await check(PrintedStack.printable, as: .plain, [isStrict ? .six : .approachable])
    try await check(PrintedStack.printable, as: .withSignposts, [isStrict ? .approachable : .six])
  }

  @Test func `the code of every setting compiles in each concerned stack`() async throws {
    try await compiler.makeFrameworks(strict: true)
    for change in WiringCodeCompilerTests.everywhere + [{ $0.records = .flat }] {
      try await check(PrintedStack.printable, as: .withSignposts, [.approachable], changing: change)
    }
    for change in WiringCodeCompilerTests.rooted {
      try await check(
        PrintedStack.printable.filter { $0.savingRoot != nil }, as: .withSignposts, [.six, .approachable],
        changing: change)
    }
  }

  @Test func `the code of stacks of one's own compiles`() async throws {
    try await compiler.makeFrameworks(strict: true)
    var task = Topology.workerMerge(.automatic)
    (task.id, task.variant) = ("background-task", nil)
    task.contexts[1] = ContextDescription(
      name: "task", queue: .private, lifetime: .payload, mergePolicy: .overwrite)
    task.importContext = "task"
    var lanes = Topology.workerMerge(.notification)
    lanes.id = "policies"
    lanes.contexts[1].mergePolicy = .storeTrump
    #expect(PrintableShape(task).limit == nil && PrintableShape(lanes).limit == nil)
    let changes: [Change] = [{ _ in }, { $0.run.lanes = 2 }, { $0.run.mergePolicy = .error }]
    for change in changes + WiringCodeCompilerTests.everywhere {
      try await check([task, lanes], as: .plain, [.six, .approachable], changing: change)
    }
    #expect(PrintedStack.code(of: task).contains("    task.mergePolicy = NSMergePolicy.overwrite\n"))
  }

  @Test func `unknown methods and objects across queues do not compile`() async throws {
    try await compiler.makeFrameworks(strict: false)
    let wrong = [
      ("context.saveEverything()", "saveEverything"),
      ("await context.perform { object.setValue(1, forKey: \"a\") }", "data races"),
    ]
    for (statement, message) in wrong {
      let signature = "@MainActor func f(_ context: NSManagedObjectContext, _ object: NSManagedObject) async"
      let file = try compiler.write("import CoreData\n\(signature) { \(statement) }\n", to: "wrong.swift")
      for dialect in PrintedCodeCompiler.Dialect.allCases {
        let outcome = try await compiler.compile([file], dialect)
        #expect(!outcome.isSuccess)
        #expect(outcome.errors.contains { $0.contains(message) })
      }
    }
  }
}
