import CSQLite
import Harness
import MachineCore
import Testing
import Topologies
import Workloads

/// Trials of the stacks in which the user edits in forms. The suite is serialized, because the tests measure time.
@Suite(.serialized) struct FormTests {
  @Test(arguments: [Topology.scratchPad, .masterAndChildren])
  func `the notes of cancelled forms appear nowhere, and those of saved forms are kept`(topology: Topology) throws {
    let bench = try TrialBench(
      rows: 240, existingRows: 60, batchSize: 30, mix: Mix(inserts: 0, updates: 100, deletes: 0))
    let options = RunOptions.quick {
      $0.userEditInterval = .milliseconds(5)
      $0.arrivalInterval = .milliseconds(20)
      $0.viewControllers = 3
    }
    let notes = SavedNotes(in: ["ZSUPPLIER", "ZPRODUCT", "ZPRICE"])
    let outcome = try bench.run(topology, options) { path in notes.read(path) }
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(outcome.measures.lostEditsCount == 0 && outcome.measures.editResponseNanosecondsMaximum != nil)
    #expect(notes.edits.filter { $0 % 3 == 2 } == [])
    #expect(!notes.edits.isEmpty)
    // No statement has ever written the note of a cancelled form either.
    #expect(outcome.statements.contains { $0.hasPrefix("UPDATE") && $0.contains("ZNOTE") })
  }

  @Test(arguments: [Topology.allMain, .reversedParent(.root), .scratchPad])
  func `an edit of many rows changes and keeps all of them, also those below the visible ones`(
    topology: Topology
  ) throws {
    let bench = try TrialBench(
      WorkloadOptions(
        workload: .flat, rows: 240, existingRows: 60, batchSize: 30, mix: Mix(inserts: 50, updates: 50, deletes: 0)))
    let options = RunOptions.quick {
      $0.userEditInterval = .milliseconds(5)
      $0.arrivalInterval = .milliseconds(20)
      $0.scrollSpeed = 0
      $0.editRows = 20
    }
    let notes = SavedNotes(in: ["ZITEM"])
    let outcome = try bench.run(topology, options) { path in notes.read(path) }
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(outcome.measures.lostEditsCount == 0)
    // The last edit still has all of its rows, of which the screen shows 12.
    let last = try #require(notes.edits.max())
    #expect(notes.edits.count { $0 == last } == 20)
  }
}

/// The numbers of the edits whose notes a closed store has.
private final class SavedNotes: Sendable {
  private let tables: [String]
  private let numbers = Guarded<[Int]>([])
  var edits: [Int] { numbers.withLock { $0 } }

  init(in tables: [String]) { self.tables = tables }

  func read(_ path: String) {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(path, &connection) == SQLITE_OK else { fatalError("\(path) cannot be opened") }
    for table in tables {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      let sql = "SELECT ZNOTE FROM \(table) WHERE ZNOTE IS NOT NULL"
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { fatalError(sql) }
      while sqlite3_step(statement) == SQLITE_ROW {
        let note = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
        let number = note.split(separator: " ").last.flatMap { Int($0) } ?? -1
        numbers.withLock { $0.append(number) }
      }
    }
  }
}
