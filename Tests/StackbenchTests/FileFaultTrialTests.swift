import CSQLite
import ContextEngine
import Foundation
import Harness
import InputFiles
import MachineCore
import MachineSimulated
import Subprocess
import SystemPackage
import TestSupport
import Testing
import Topologies
import TrialProcesses
import Workloads

/// Trials in whose import a call on the store's files fails.
///
/// Each trial runs in a process of its own, as in a run, so that a fault may stop the process.
@Suite(.serialized) struct FileFaultTrialTests {
  enum MachineKind: String, CaseIterable, Sendable {
    case live, simulated
  }

  /// The kinds of faults after which an app goes on.
  private static let kinds = FileFault.Kind.allCases.filter { $0 != .powerCut }
  private static let rowCount = 120

  /// The number of calls that a simulated sweep tries for each kind of fault. `make faults` tries more.
  private static var positionCount: Int {
    ProcessInfo.processInfo.environment["STACKBENCH_FAULTS"].flatMap { Int($0) } ?? 1
  }

  private let folder: TemporaryFolder
  private let profile: Profile
  private let prepared: PrepareTask.Answer

  init() throws {
    folder = try TemporaryFolder()
    profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    var options = RunOptions(simulating: profile)
    options.warmup = 0
    options.saveEvery = 10
    // Rows without edits have the same values in each trial.
    options.userEditInterval = .zero
    options.frameWork = .zero
    try FileManager.default.createDirectory(atPath: "\(folder.path)/workload", withIntermediateDirectories: false)
    prepared = try PrepareTask.prepare(
      PrepareTask.Plan(
        workload: WorkloadOptions(
          workload: .flat, rows: Self.rowCount, existingRows: .count(40), batchSize: 20, mix: .standard),
        isBatchSizeStandard: false, isSaveEveryStandard: false, options: options, archive: "\(folder.path)/workload",
        baseStore: "\(folder.path)/base.sqlite"))
  }

  /// The end of a trial.
  private struct Ending: Decodable {
    var answer: TrialTask.Answer?
    var failure: RunFailure?
    /// The lines of a process that its task has stopped.
    var errors: [String]?
    /// The closed store, or the one that the trial has left.
    var store: String?
    var plan: TrialPlan?

    var isVerified: Bool { answer?.record.measures.verified == 1 }

    /// The text that a user reads on the trial.
    var message: String {
      failure?.description ?? (answer?.problems ?? errors ?? []).joined(separator: "; ")
    }
  }

  /// Runs a trial with a fault, or one without.
  private func run(
    _ topology: Topology, on machine: MachineKind, _ fault: FileFault?, journalMode: String = "wal"
  ) async throws -> Ending {
    let scratch = "\(folder.path)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
    var options = prepared.options
    (options.fileFault, options.journalMode, options.synchronous) = (fault, journalMode, "full")
    let plan = TrialTask.Plan(
      trial: TrialPlan(
        topology: topology, options: options, archive: "\(folder.path)/workload",
        baseStore: "\(folder.path)/base.sqlite", scratch: scratch, trial: 1,
        profile: machine == .simulated ? profile.name : nil),
      simulation: machine == .simulated
        ? Simulation(profile: profile, seed: options.seed, isTraced: false) : nil)
    try (JSONEncoder().encode(plan) + Data("\n".utf8)).write(to: URL(fileURLWithPath: "\(scratch)/plan.json"))
    let outcome = try await Program.run(
      .path("/bin/sh"), ["-c", #"exec "$0" "$1" <"$2""#, Program.path, TrialTask.name, "\(scratch)/plan.json"])
    var ending = Ending(errors: outcome.errors)
    if outcome.status == 0 { ending = try JSONDecoder().decode(Ending.self, from: Data(outcome.output.utf8)) }
    (ending.store, ending.plan) = ("\(scratch)/\(Trial.storeFileName)", plan.trial)
    return ending
  }

  /// The journal mode in which a kind of call occurs.
  private func journalMode(of kind: FileFault.Kind, _ topology: Int) -> String {
    switch kind {
    case .delete: "delete"
    case .truncate: "truncate"
    default: ["wal", "persist"][topology % 2]
    }
  }

  // MARK: Laws

  @Test(arguments: Topology.all)
  func `no simulated trial is verified unless plain SQLite finds its store right`(topology: Topology) async throws {
    let number = try #require(Topology.all.firstIndex(of: topology))
    let right = try await contents(verified(topology, on: .simulated).store)
    #expect(right.count > Self.rowCount / 2 && right.last == "ok")
    for kind in Self.kinds {
      let mode = journalMode(of: kind, number)
      let unmet = try await run(topology, on: .simulated, FileFault(kind, at: 1_000_000), journalMode: mode)
      let callCount = try #require(unmet.message.firstMatch(of: #/made (\d+) such/#).flatMap { Int($0.1) })
      #expect(unmet.failure?.kind == .badUsage)
      var random = SeededRandom(seed: UInt64(number), stream: kind.rawValue)
      for _ in 0..<(callCount > 0 ? Self.positionCount : 0) {
        let fault = FileFault(kind, at: 1 + random.below(callCount))
        let ending = try await run(topology, on: .simulated, fault, journalMode: mode)
        _ = try check(ending, fault, right: right, "\(topology.title), \(mode), \(fault)")
      }
    }
  }

  @Test func `a store that has lost a write without an error is found`() async throws {
    let right = try await contents(verified(.workerMerge(.notification), on: .simulated).store)
    var wrongCount = 0
    for number in stride(from: 5, through: 75, by: 10) {
      let fault = FileFault(.lostWrite, at: number)
      let ending = try await run(.workerMerge(.notification), on: .simulated, fault, journalMode: "persist")
      if try !check(ending, fault, right: right, "\(fault)") { wrongCount += 1 }
    }
    // A page that is written again later has lost nothing.
    #expect(wrongCount > 0)
  }

  @Test(arguments: Topology.all)
  func `no live trial is verified unless plain SQLite finds its store right`(topology: Topology) async throws {
    let number = try #require(Topology.all.firstIndex(of: topology))
    let right = try await contents(verified(topology, on: .live).store)
    // Each stack has a third of the kinds.
    for (place, kind) in Self.kinds.enumerated() where place % 3 == number % 3 {
      let fault = FileFault(kind, at: 1 + number)
      let mode = journalMode(of: kind, number)
      let ending = try await run(topology, on: .live, fault, journalMode: mode)
      if ending.failure?.kind == .badUsage { continue }
      _ = try check(ending, fault, right: right, "\(topology.title), \(mode), \(fault)")
    }
  }

  private func verified(_ topology: Topology, on machine: MachineKind) async throws -> Ending {
    let ending = try await run(topology, on: machine, nil)
    #expect(ending.isVerified, "\(ending.message)")
    return ending
  }

  // MARK: Checks

  /// Checks that a trial is verified only if plain SQLite finds the rows of `right`, and that another trial names the
  /// store, which has whole saves and all that were acknowledged.
  private func check(_ ending: Ending, _ fault: FileFault, right: [String], _ place: Comment) throws -> Bool {
    if ending.answer != nil {
      let isRight = try contents(ending.store) == right
      #expect(!ending.isVerified || isRight, place)
      #expect(ending.isVerified || !ending.message.isEmpty, place)
      return isRight
    }
    #expect(ending.failure?.kind == .failed || ending.errors != nil, place)
    #expect(ending.message.contains(try #require(ending.store)), "\(place): \(ending.message)")
    guard fault.kind != .lostWrite else { return false }
    let (record, problems) = try Autopsy(of: #require(ending.plan)).run()
    #expect(problems == [] && record.rowsCommittedLostCount == 0, place)
    return true
  }

  /// Returns the rows of a closed store as plain SQLite reads them, without the values that depend on the order of saves,
  /// and the result of its check of the file.
  private func contents(_ path: String?) throws -> [String] {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    func rows(_ sql: String) -> [[String]] {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return [["unreadable"]] }
      var rows: [[String]] = []
      var code = sqlite3_step(statement)
      while code == SQLITE_ROW {
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
          })
        code = sqlite3_step(statement)
      }
      return code == SQLITE_DONE ? rows : rows + [["unreadable"]]
    }
    let columns = rows("SELECT name FROM pragma_table_info('ZITEM') WHERE name NOT IN ('Z_PK', 'Z_ENT', 'Z_OPT')")
    let names = columns.joined().sorted().joined(separator: ", ")
    return rows("SELECT \(names) FROM ZITEM").map { $0.joined(separator: "|") }.sorted()
      + rows("PRAGMA integrity_check").joined()
  }
}
