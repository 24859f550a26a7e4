import ContextEngine
import MachineCore
import MachineSimulated
import SQLitePersistence
import TestSupport
import Testing

/// Asynchronous fetches, persistent history and query generations in virtual time, while another context saves. Each
/// reads whole saves only, and the same seed gives the same run to the last nanosecond.
@Suite struct SimulatedReadingTests {
  /// The result of one run.
  private struct Record: Equatable, Sendable {
    /// The notes of the contexts, each with its instant.
    var lines: [String]
    var work: [Work.Kind: Int]
    var end: Instant
  }

  /// The number of books that each save adds.
  private static let count = 40

  /// A device on which all work costs CPU time, and a commit also storage time.
  private static let device: SimulatedDevice = {
    var costs = CostModel()
    for kind in Work.Kind.allCases { costs[kind] = CostModel.Cost(cpuPerCount: 7_003) }
    costs[.commit].storagePerCount = 500_000
    return SimulatedDevice(cores: 2, favoursMain: true, quantum: .milliseconds(1), costs: costs)
  }()

  /// The contexts of a run, and their notes.
  private struct Bench: Sendable {
    let machine: SimulatedMachine
    let coordinator: PersistentStoreCoordinator
    let notes = Journal<String>()

    init(_ machine: SimulatedMachine, _ folder: TemporaryFolder) throws {
      self.machine = machine
      var configuration = SQLiteStoreConfiguration(path: folder.storePath, poolSize: 3)
      configuration.tracksHistory = true
      coordinator = PersistentStoreCoordinator(
        machine: machine, store: try SQLiteStore(machine, model: Library.model, configuration: configuration))
    }

    func context(_ type: ManagedObjectContext.ConcurrencyType, _ name: String) -> ManagedObjectContext {
      ManagedObjectContext(type, coordinator: coordinator, name: name)
    }

    func note(_ text: String) { notes.write("\(machine.now.nanoseconds) \(text)") }

    /// Runs `body` on a context's queue repeatedly, at the given interval in microseconds.
    func every(
      _ microseconds: Int64, times: Int, _ context: ManagedObjectContext, _ body: @escaping @Sendable () throws -> Void
    ) {
      for number in 0..<times {
        let deadline = Instant(nanoseconds: microseconds * 1_000 * Int64(number + 1))
        context.perform(at: deadline) {
          do { try body() } catch { note("\(context.name) fails: \(error)") }
        }
      }
    }

    /// Saves ten times in a worker.
    func write() {
      let worker = context(.privateQueue, "worker")
      every(900, times: 10, worker) {
        for number in 0..<SimulatedReadingTests.count { worker.insertBook("Book \(number)", year: Int64(number)) }
        try worker.save()
        worker.reset()
      }
    }

    /// Runs fetches in main. Every third fetch is cancelled at once, and every third one while it may be running.
    func fetch() {
      let main = context(.mainQueue, "main")
      let turn = Journal<Void>()
      every(700, times: 15, main) {
        turn.write(())
        let number = turn.count
        let begun = try main.execute(
          AsynchronousFetchRequest(FetchRequest(Book.entity, sortDescriptors: [FetchSortDescriptor(Book.title)])) {
            result in
            note("fetch \(number): \(result.finalResult?.count ?? -1) \(result.operationError?.code.rawValue ?? 0)")
          })
        if number % 3 == 1 { begun.progress.cancel() }
        if number % 3 == 2 { main.perform { begun.progress.cancel() } }
      }
    }

    /// Runs fetches in a context that keeps one generation for three fetches and then advances.
    func look() throws {
      let pinned = context(.privateQueue, "pinned")
      try pinned.performAndWait { try pinned.setQueryGeneration(from: .current) }
      let turn = Journal<Void>()
      every(800, times: 12, pinned) {
        turn.write(())
        if turn.count % 3 == 1 { pinned.reset() }
        note("look \(turn.count): \(try pinned.fetch(FetchRequest(Book.entity)).count)")
      }
    }

    /// Fetches history in a separate context.
    func follow() {
      let follower = context(.privateQueue, "follower")
      let token = Guarded<PersistentHistoryToken?>(nil)
      every(1_100, times: 10, follower) {
        let transactions = try follower.execute(.fetchHistory(after: token.withLock { $0 })).transactions
        if let last = transactions.last { token.withLock { $0 = last.token } }
        note("history: \(transactions.map { "\($0.transactionNumber) of \($0.changes?.count ?? 0)" })")
      }
    }
  }

  private func run(scheduleSeed: UInt64) throws -> Record {
    let folder = try TemporaryFolder()
    let ledger = WorkLedger()
    let machine = SimulatedMachine(
      Self.device, options: SimulatedMachineOptions(scheduleSeed: scheduleSeed), ledger: ledger)
    let (lines, end) = try machine.run {
      let bench = try Bench(machine, folder)
      bench.write()
      bench.fetch()
      try bench.look()
      bench.follow()
      machine.wait(until: Instant(nanoseconds: 60_000_000))
      return (bench.notes.entries, machine.now)
    }
    return Record(
      lines: lines, work: Dictionary(uniqueKeysWithValues: Work.Kind.allCases.map { ($0, ledger.count($0)) }), end: end)
  }

  @Test(arguments: [1, 7, 42] as [UInt64])
  func `the same seed gives the same fetches, history and work at the same instants`(scheduleSeed: UInt64) throws {
    let first = try run(scheduleSeed: scheduleSeed)
    #expect(try run(scheduleSeed: scheduleSeed) == first)
  }

  @Test(arguments: [1, 7, 42] as [UInt64])
  func `a concurrent reader sees whole saves, and a pinned context sees the same state`(scheduleSeed: UInt64) throws {
    let lines = try run(scheduleSeed: scheduleSeed).lines.map {
      $0.split(separator: " ").dropFirst().joined(separator: " ")
    }
    #expect(!lines.contains { $0.contains("fails") }, "\(lines)")

    let fetches = lines.filter { $0.hasPrefix("fetch") }.compactMap { $0.split(separator: ": ").last }
      .map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(fetches.count == 15)
    #expect(fetches.allSatisfy { $0[0] % Self.count == 0 && $0[1] == 0 || $0 == [-1, 3072] })
    #expect(fetches.contains { $0[0] > 0 } && fetches.contains { $0[1] == 3072 })

    let looks = lines.filter { $0.hasPrefix("look") }.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(looks.count == 12 && looks.allSatisfy { $0 % Self.count == 0 } && looks == looks.sorted())
    for start in stride(from: 0, to: 12, by: 3) { #expect(Set(looks[start..<(start + 3)]).count == 1) }
    #expect(Set(looks).count > 1)

    let history = lines.filter { $0.hasPrefix("history") }.flatMap { line in
      line.split(separator: "\"").filter { $0.contains(" of ") }.map(String.init)
    }
    // Each transaction occurs once, in order, with all its changes.
    #expect(history == (0..<history.count).map { "\($0 + 1) of \(Self.count)" })
    #expect(history.count == 10)
  }
}
