import CSQLite
import ContextEngine
import Harness
import MachineCore
import Metrics
import Testing
import Topologies
import TrialSupport
import Workloads

/// Whole trials, on real threads and files. The suite is serialized, because the tests measure time.
@Suite(.serialized) struct TrialTests {
  // MARK: Every stack

  @Test(arguments: Topology.known)
  func `every stack ends verified with consistent columns`(topology: Topology) throws {
    let bench = try TrialBench()
    let outcome = try bench.run(topology, .quick { $0.viewControllers = 3 })
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let measures = outcome.measures
    #expect(measures.mainBusyNanoseconds == Self.parts(of: measures))
    let window = try #require(measures.windowNanoseconds)
    #expect(try #require(measures.importNanoseconds) <= window)
    let busy = try #require(measures.mainBusyNanoseconds) + (try #require(measures.frameBusyNanoseconds))
    #expect(busy <= window)
    // The import has 8 units, each with inserts. A unit takes two transactions if it is saved by itself, but a private
    // root may save several units at once.
    let isCoalesced =
      topology.importsThroughParents && topology.chain(from: topology.importContext).last?.queue == .private
    #expect(try #require(measures.commitsCount) >= (isCoalesced ? 2 : 16))
    #expect(try #require(measures.rowsWrittenCount) >= 240)
    for column in ["ticks_count", "sql_statements_count", "rows_fetched_count", "faults_fired_count"] {
      #expect(try #require(measures[column]) > 0, "\(column)")
    }
    // A confined context has no perform.
    #expect((measures.performCount == 0) == topology.contexts.allSatisfy(\.isConfined))
    // A context that no screen shows may merge the user's edits.
    let merges = topology.mergesSaves || topology.contexts.contains { $0.automaticallyMergesChanges }
    #expect((measures.objectsMergedCount ?? 0 > 0) == merges)
    #expect((measures.mergeBacklogMaximum ?? 0 > 0) == merges)
    if !topology.importsAtOnce { #expect(measures.lostEditsCount == 0 && measures.duplicatesCount == 0) }
    if topology.tolerates.isEmpty {
      #expect(measures.staleRowsCount == 0)
      #expect(try #require(measures.visibleNanoseconds) <= window)
      #expect(try #require(measures.timeToVisibleNanosecondsMaximum) > 0)
    }
    if topology == .allMain { #expect(measures.atRiskNanosecondsMaximum == 0) }
  }

  @Test func `every stack writes the same store`() throws {
    let bench = try TrialBench()
    let digests = try Topology.known.filter { !$0.mayKeepEarlierValues }.map { try bench.run($0).measures.storeDigest }
    #expect(Set(digests).count == 1)
    #expect(digests.first??.count == 64)
  }

  /// Returns the sum of the columns that add up to `main_busy_ns`.
  private static func parts(of measures: TrialMeasures) -> Int64 {
    let names = [
      "decode", "import", "fetch", "fault", "push", "save", "controller", "merge", "reset", "edit", "wait", "other",
    ]
    return names.reduce(0) { $0 + (measures["main_\($1)_ns"] ?? 0) }
  }

  // MARK: Screens and edits

  @Test(arguments: Topology.known)
  func `a run without screens ends verified and leaves UI columns empty`(topology: Topology) throws {
    let outcome = try TrialBench().run(topology, .quick { $0.viewControllers = 0 })
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let measures = outcome.measures
    for column in Measure.all.map(\.name)
    where column.contains("visible") || column.contains("at_risk") || column.contains("edit_response") {
      #expect(measures[column] == nil, "\(column)")
    }
    #expect(measures.importNanoseconds != nil)
  }

  @Test func `a stack without merges shows stale rows and still verifies`() throws {
    let bench = try TrialBench()
    let outcome = try bench.run(.workerMerge(.none))
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(try #require(outcome.measures.staleRowsCount) > 0)
    #expect(outcome.measures.visibleNanoseconds == nil)
  }

  @Test(arguments: Topology.known)
  func `the store has the last acknowledged edit of each row`(topology: Topology) throws {
    let bench = try TrialBench(
      rows: 100, existingRows: 20, batchSize: 10, mix: Mix(inserts: 0, updates: 100, deletes: 0))
    let options = RunOptions.quick {
      $0.userEditInterval = .milliseconds(3)
      $0.arrivalInterval = .milliseconds(10)
      $0.viewControllers = 2
    }
    let outcome = try bench.run(topology, options)
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(outcome.measures.lostEditsCount == 0 || topology.tolerates.contains(.lostEdits))
    #expect(outcome.measures.editResponseNanosecondsMaximum != nil)
    #expect(outcome.statements.contains { $0.hasPrefix("UPDATE") && $0.contains("ZNOTE") })
  }

  // MARK: Payloads

  @Test(arguments: Topology.all)
  func `payloads that arrive out of order are imported in order`(topology: Topology) throws {
    // The 24 payloads are a millisecond apart, each off by up to a refresh interval. Products link to suppliers before
    // them.
    let bench = try TrialBench(rows: 240, existingRows: 0, batchSize: 10, mix: .insertsOnly)
    let outcome = try bench.run(topology, .quick { $0.arrivalInterval = .milliseconds(1) })
    #expect(outcome.isVerified, "\(outcome.complaints)")
  }

  @Test(arguments: Topology.known, [1, 5])
  func `strings that differ only in bytes stay different in the store`(topology: Topology, batchSize: Int) throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let bench = try TrialBench(
      feed: [
        #"{"id":"\#(composed)","name":"\#(composed)"}"#, #"{"id":"\#(decomposed)","name":"\#(composed)"}"#,
        #"{"id":"\#(composed)","name":"\#(decomposed)","\#(composed)":1,"\#(decomposed)":2}"#,
        #"{"id":"\ufeff","name":"\ufeffa"}"#, #"{"id":"x","name":"a\u0000b","size":0.9732522570430618}"#,
      ], batchSize: batchSize)
    let outcome = try bench.run(topology)
    #expect(outcome.isVerified, "\(outcome.complaints)")
  }

  @Test(arguments: Topology.known)
  func `an import of unchanged records ends verified`(topology: Topology) throws {
    let line = #"{"id":1,"name":"a","size":-1.5}"#
    let bench = try TrialBench(feed: [line, #"{"id":2,"name":"b","size":2}"#, line, line], batchSize: 1)
    let outcome = try bench.run(topology, .quick { $0.userEditInterval = .milliseconds(2) })
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(outcome.measures.visibleNanoseconds != nil || topology.tolerates.contains(.staleRows))
  }

  // A save under the error policy fails for good after five conflicts in a row, which may happen on a busy computer.
  // The simulated trials of `OverlapTrialTests` have that policy.
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
  func `concurrent edits and imports of the same rows are both kept`(policy: MergePolicy) throws {
    let bench = try TrialBench(
      WorkloadOptions(
        workload: .flat, rows: 100, existingRows: 60, batchSize: 10, mix: Mix(inserts: 0, updates: 100, deletes: 0)))
    // The stacks in which the user and the import save side by side.
    for topology in [Topology.workerMerge(.notification), .perViewController] {
      let outcome = try bench.run(
        topology,
        .quick {
          $0.mergePolicy = policy
          $0.saveEvery = 5
          $0.userEditInterval = .milliseconds(5)
          $0.arrivalInterval = .milliseconds(10)
        })
      #expect(outcome.isVerified, "\(topology.title): \(outcome.complaints)")
    }
  }

  @Test(arguments: Topology.known)
  func `an import that renames rows leaves stale rows only in merging stacks`(topology: Topology) throws {
    let bench = try TrialBench(
      WorkloadOptions(
        workload: .catalogReorder, rows: 300, existingRows: 200, batchSize: 50, mix: .standard))
    let outcome = try bench.run(topology, .quick { $0.viewControllers = 3 })
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let mayMiss = topology.mergesSaves || topology.tolerates.contains { [.staleRows, .staleObjects].contains($0) }
    #expect(mayMiss || outcome.measures.staleRowsCount == 0)
  }

  @Test func `a merge leaves renamed rows stale that are faults in the UI context`() throws {
    let bench = try TrialBench(
      WorkloadOptions(
        workload: .catalogReorder, rows: 300, existingRows: 600, batchSize: 50,
        mix: Mix(inserts: 0, updates: 100, deletes: 0)))
    let outcome = try bench.run(.workerMerge(.notification), .quick { $0.viewControllers = 3 })
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(try #require(outcome.measures.staleRowsCount) > 0)
  }

  // MARK: Faults

  @Test(arguments: [
    ("UPDATE ZPRODUCT SET ZNAME = 'x' WHERE Z_PK = (SELECT min(Z_PK) FROM ZPRODUCT)", "name"),
    ("DELETE FROM ZPRICE WHERE Z_PK = (SELECT max(Z_PK) FROM ZPRICE)", "Price"),
    ("UPDATE ZPRODUCT SET ZNOTE = NULL WHERE ZNOTE IS NOT NULL", "is lost"),
    ("UPDATE ZSUPPLIER SET ZNOTE = 'never' WHERE Z_PK = 1", "note"),
    (
      "INSERT INTO ZPRICE SELECT Z_PK + 100000, Z_ENT, Z_OPT, ZAMOUNT, ZCURRENCY, ZNAME, ZNOTE, ZPRODUCT, ZREMOTEID, "
        + "ZVALIDFROM FROM ZPRICE LIMIT 1", "Price"
    ),
  ])
  func `a trial with a damaged store fails with a complaint`(sql: String, word: String) throws {
    let bench = try TrialBench()
    let options = RunOptions.quick {
      $0.viewControllers = 2
      $0.arrivalInterval = .milliseconds(30)
    }
    let outcome = try bench.run(.allMain, options) { path in execute(sql, path) }
    #expect(!outcome.isVerified)
    let complaint = try #require(outcome.complaints.first { $0.contains(word) }, "\(outcome.complaints)")
    #expect(complaint.contains(" "))
  }

  @Test(arguments: MergePolicy.allCases)
  func `a lost edit is tolerated only under policies that lose edits`(policy: MergePolicy) throws {
    let options = RunOptions.quick {
      $0.mergePolicy = policy
      $0.arrivalInterval = .milliseconds(30)
    }
    let outcome = try TrialBench().run(.allMain, options) { path in execute("UPDATE ZSUPPLIER SET ZNOTE = NULL", path) }
    #expect(try #require(outcome.measures.lostEditsCount) > 0)
    #expect(outcome.isVerified == [.storeTrump, .overwrite, .rollback].contains(policy), "\(outcome.complaints)")
  }

  @Test func `stale rows of a merging stack fail the trial with a complaint`() throws {
    // Main merges the saves of the worker, but reads them through a root that keeps its old objects and merges no
    // saves.
    let deaf = Topology(
      id: "deaf", number: "own", summary: "a worker beside a root that merges nothing",
      contexts: [
        ContextDescription(name: "root", queue: .private, lifetime: .app),
        ContextDescription(name: "main", queue: .main, parent: "root", lifetime: .app),
        ContextDescription(name: "worker", queue: .private, lifetime: .lane),
      ],
      uiContext: "main", importContext: "worker",
      rules: [
        Rule(trigger: .didSave("worker"), action: .merge(into: "main")),
        Rule(trigger: .didSave("main"), action: .save("root")),
      ])
    let keepObjects = { (instruments: inout TrialInstruments) in
      instruments.didMakeContext = { if $0.name == "root" { $0.retainsRegisteredObjects = true } }
    }
    let outcome = try TrialBench().run(deaf, .quick { $0.userEditInterval = .zero }, change: keepObjects)
    #expect(!outcome.isVerified)
    #expect(try #require(outcome.measures.staleRowsCount) > 0)
    #expect(try #require(outcome.complaints.first).hasPrefix("screen 0: "))
  }
}
