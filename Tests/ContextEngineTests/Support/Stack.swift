import ContextEngine
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

/// A coordinator over a store, on the live machine. The store is a file in a temporary folder, or in memory.
///
/// The folder is deleted with the last context.
struct Stack: Sendable {
  let ledger = WorkLedger()
  let machine: LiveMachine
  let store: any PersistentStore
  let coordinator: PersistentStoreCoordinator
  /// The SQL of every statement that began since the store was opened, or every request to a store in memory.
  let statements = Journal<String>()
  let folder: TemporaryFolder

  init(
    poolSize: Int = 1, journalMode: SQLiteStoreConfiguration.JournalMode = .wal, checksConcurrency: Bool = false,
    model: ManagedObjectModel = Library.model, on folder: TemporaryFolder? = nil,
    configure: (inout SQLiteStoreConfiguration) -> Void = { _ in },
    onStatement: (@Sendable (String) -> Void)? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    let machine = LiveMachine(ledger: ledger)
    self.folder = folder
    self.machine = machine
    switch StoreKind.current {
    case .sqlite:
      var configuration = SQLiteStoreConfiguration(
        path: folder.storePath, poolSize: poolSize, journalMode: journalMode, synchronous: .off,
        onStatement: { [statements, folder] sql in
          // The closure captures the folder, so that the folder exists as long as the store.
          _ = folder
          statements.write(sql)
          onStatement?(sql)
        })
      configure(&configuration)
      store = try SQLiteStore(machine, model: model, configuration: configuration)
    case .inMemory:
      // A second stack on a folder shares its store, as one on a file would. The first stack's journal and ledger
      // record its requests and work.
      store = folder.inMemoryStore { [statements] in
        InMemoryStore(machine, model: model) { request in
          statements.write(request)
          onStatement?(request)
        }
      }
    }
    coordinator = PersistentStoreCoordinator(
      machine: machine, store: store, checksConcurrency: checksConcurrency)
  }

  /// A Boolean value that is true if the journal of statements holds SQL.
  var hasSQL: Bool { store is SQLiteStore }

  /// Returns a private context on the coordinator.
  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, coordinator: coordinator, name: name)
  }

  func mainContext() -> ManagedObjectContext {
    ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main")
  }

  /// Returns a chain of contexts, each the parent of the next. One of them may be on the main queue.
  func chain(_ depth: Int, mainLevel: Int? = nil) -> Chain {
    var contexts: [ManagedObjectContext] = []
    for level in 0...depth {
      let queue: ManagedObjectContext.ConcurrencyType = level == mainLevel ? .mainQueue : .privateQueue
      contexts.append(
        level == 0
          ? ManagedObjectContext(queue, coordinator: coordinator, name: "root")
          : ManagedObjectContext(queue, parent: contexts[level - 1], name: "level \(level)"))
    }
    return Chain(contexts: contexts)
  }

  /// Writes objects through a separate context, which is released when this returns, together with the registrations of
  /// their rows.
  func seed(_ body: (ManagedObjectContext) throws -> Void) throws {
    let seeding = context("seeding")
    try seeding.performAndWait {
      try body(seeding)
      try seeding.save()
    }
  }

  /// Reads in a separate context.
  func inStore<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
    let reading = context("reading")
    return try reading.performAndWait { try body(reading) }
  }

  /// Returns the titles of all books in the store, sorted.
  func storedTitles() throws -> [String] {
    try inStore { try $0.titles() }
  }

  /// Returns the statements that `body` runs, except those of transactions.
  func statements(during body: () throws -> Void) rethrows -> [String] {
    let before = statements.count
    try body()
    return statements.entries[before...].filter { !$0.hasPrefix("BEGIN") && !$0.hasPrefix("COMMIT") }
  }

  /// Expects that `body` runs the given number of statements.
  @discardableResult
  func expectStatements(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, during body: () throws -> Void
  ) rethrows -> [String] {
    let statements = try statements(during: body)
    #expect(statements.count == count, "\(statements)", sourceLocation: sourceLocation)
    return statements
  }

  /// Returns the amount of a kind of work that `body` does.
  func count(_ kind: Work.Kind, during body: () throws -> Void) rethrows -> Int {
    let before = ledger.count(kind)
    try body()
    return ledger.count(kind) - before
  }
}

/// Contexts from the coordinator down.
struct Chain: Sendable {
  let contexts: [ManagedObjectContext]

  var root: ManagedObjectContext { contexts[0] }
  var leaf: ManagedObjectContext { contexts[contexts.count - 1] }

  /// Saves the leaf and everything above it into the store.
  func saveAll() throws {
    for context in contexts.reversed() {
      try context.performAndWait { try context.save() }
    }
  }
}

/// An arrangement of contexts over a store, for laws that hold in every arrangement.
struct Arrangement: Sendable, CustomStringConvertible {
  var depth: Int
  var poolSize: Int
  /// The level that is on the main queue, counted from the root, or nil if all levels are private.
  var mainLevel: Int?

  var description: String {
    let shape = ["flat", "child", "grandchild"][depth]
    return "\(shape), pool of \(poolSize)\(mainLevel.map { ", main at level \($0)" } ?? "")"
  }

  static let all =
    [1, 4].flatMap { size in (0...2).map { Arrangement(depth: $0, poolSize: size) } }
    // The main context has a child, is below a private root, or is in the middle.
    + [
      Arrangement(depth: 1, poolSize: 1, mainLevel: 0), Arrangement(depth: 1, poolSize: 4, mainLevel: 1),
      Arrangement(depth: 2, poolSize: 1, mainLevel: 1),
    ]
  static let nested = all.filter { $0.depth > 0 }

  func makeStack(model: ManagedObjectModel = Library.model) throws -> (Stack, Chain) {
    let stack = try Stack(poolSize: poolSize, model: model)
    return (stack, stack.chain(depth, mainLevel: mainLevel))
  }
}

/// Returns after the context's queue has run all blocks that were posted to it before.
func drain(_ context: ManagedObjectContext) {
  context.performAndWait {}
}
