import Foundation
import Harness
import InputFiles
import MachineCore
import Metrics
import Testing
import Topologies
import Workloads

/// Simulated trials at one of whose calls on files the power is cut.
@Suite struct PowerCutTests {
  private let bench: TrialBench

  /// The number of calls that are tried for each stack and pair of modes. `make faults` tries more.
  private static var positionCount: Int {
    ProcessInfo.processInfo.environment["STACKBENCH_FAULTS"].flatMap { Int($0) } ?? 1
  }

  init() throws {
    let profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    bench = try TrialBench(
      WorkloadOptions(workload: .catalog, rows: 200, existingRows: 60, batchSize: 20, mix: .standard),
      TrialBench.options(on: profile) { options in
        options.saveEvery = 10
        options.userEditInterval = .milliseconds(4)
        options.frameWork = .zero
      }, on: profile)
  }

  /// The stacks whose losses can be attributed to a commit, as for `--kill-at`.
  private static let topologies = Topology.knownInOneProcess.filter { !$0.mayKeepEarlierValues }

  private static let journalModes = ["wal", "delete", "truncate", "persist"]

  @Test(arguments: topologies, journalModes)
  func `a power cut leaves what the modes of SQLite promise`(topology: Topology, journalMode: String) throws {
    // A relative has one of the journal modes, unless many calls are tried.
    let place = try #require(Self.topologies.firstIndex(of: topology))
    guard Topology.all.contains(topology) || Self.positionCount > 1 || Self.journalModes[place % 4] == journalMode
    else {
      return
    }
    for synchronous in ["off", "normal", "full", "extra"] {
      func cut(at number: Int) throws -> (record: KilledRecord, problems: [String]) {
        try bench.kill(topology) { options in
          (options.journalMode, options.synchronous) = (journalMode, synchronous)
          options.fileFault = FileFault(.powerCut, at: number)
        }
      }
      let unmet = try #require(throws: UnmetFault.self) { _ = try cut(at: 1_000_000) }
      #expect(unmet.callCount > 50)
      var random = SeededRandom(seed: 1, stream: "\(topology.title) \(journalMode) \(synchronous)")
      for _ in 0..<Self.positionCount {
        let number = 1 + random.below(unmet.callCount)
        let place = Comment(rawValue: "\(synchronous), power-cut:\(number)")
        let (record, problems) = try cut(at: number)
        // Without syncs, SQLite promises nothing.
        guard synchronous != "off" else { continue }
        #expect(problems == [] && record.consistent == 1, place)
        // SQLite's documentation of PRAGMA synchronous: a commit is synced from FULL on. A deleted journal may come back
        // unless EXTRA syncs its folder.
        if journalMode == "delete" ? synchronous == "extra" : synchronous != "normal" {
          #expect(record.rowsCommittedLostCount == 0, place)
        }
      }
    }
  }

  @Test func `a power cut may lose commits that were not synced`() throws {
    var (lostCount, commitCount) = (0, 0)
    for number in stride(from: 40, through: 200, by: 40) {
      let (record, problems) = try bench.kill(.allMain) { options in
        (options.journalMode, options.synchronous) = ("wal", "normal")
        options.fileFault = FileFault(.powerCut, at: number)
      }
      #expect(problems == [])
      lostCount += record.rowsCommittedLostCount
      commitCount += record.commitsAcknowledgedCount
    }
    #expect(lostCount > 0 && commitCount > 0)
  }
}
