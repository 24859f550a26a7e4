import Foundation
import MachineCore
import Metrics

@testable import Reporting

/// Made-up results, for tests of printed and written text.
enum MadeUpResults {
  /// The roles of some of a run's settings.
  static let roles = SettingRoles(
    [
      "topology": .stacks, "trials": .extent, "draws": .draws, "time-limit": .precaution, "idle-seconds": .precaution,
      "repeat-limit": .precaution, "profile": .device, "save-every": .wiring, "lookup": .wiring,
      "journal-mode": .wiring, "merge-policy": .wiring, "strategy": .wiring, "decode": .wiring,
      "fetch-batch-size": .wiring, "properties-to-fetch": .wiring, "store-save": .wiring, "connection-pool": .wiring,
      "synchronous": .wiring,
    ], words: words)

  /// Words of a command line.
  static let words = CommandWords(
    run: "stackbench run", compare: "stackbench compare", floors: "stackbench compare --help",
    recordBaseline: "make baseline", json: "--format json", stacks: "--topology", trials: "--trials",
    settingPrefix: "--")

  static func identity(_ topology: String, _ variant: String?, trial: Int = 1) -> TrialIdentity {
    TrialIdentity(
      topology: topology, variant: variant, workload: "catalog", rows: 100_000, seed: 1, trial: trial, pid: 4_711,
      startedNanoseconds: 12_345)
  }

  /// Returns a trial without work in flight, whose every measure follows from `scale` and differs from the others.
  static func trial(_ topology: String, _ variant: String?, scale: Int64, trial: Int = 1) -> TrialRecord {
    var measures = TrialMeasures()
    for (index, column) in Measure.all.enumerated() where !column.isOfWorkInFlight {
      measures[keyPath: column.keyPath] = scale * Int64(1_000_003 + index)
    }
    measures.hitchTotalNanoseconds = scale * 83_333_333
    measures.hitchMicrosecondsPerSecond = scale * 2_700
    measures.framesDroppedCount = scale * 5
    measures.stallNanosecondsP99 = scale * 21_400_000
    measures.timeToVisibleNanosecondsP99 = scale * 93_000_000
    measures.editResponseNanosecondsP99 = 640_000_000 / max(1, scale)
    measures.mainBusyNanoseconds = scale * 812_345_678
    measures.importNanoseconds = 24_000_000_000 / max(1, scale)
    measures.timeToDurableNanosecondsP99 = scale * 50_000_000
    measures.atRiskNanosecondsMaximum = scale == 1 ? 0 : scale * 11_000_000
    measures.heapPeakBytes = 20_000_000 + scale * 7_654_321
    measures.sqlStatementsCount = 48_211
    measures.busyRetriesCount = 0
    measures.lostEditsCount = 0
    measures.duplicatesCount = 0
    measures.staleRowsCount = 0
    measures.storeDigest = String(repeating: "0f", count: 32)
    measures.verified = 1
    let ran = FrameRow.Frame(
      start: .milliseconds(scale), end: .milliseconds(scale + 3), shownTick: 15, late: .milliseconds(scale),
      missedCount: 1, cause: .importing, wait: .zero)
    return TrialRecord(
      identity: identity(topology, variant, trial: trial), measures: measures,
      frames: [
        FrameRow(tick: 13, due: .milliseconds(8), lateness: .milliseconds(scale), frame: ran),
        FrameRow(tick: 14, due: .milliseconds(24), lateness: .milliseconds(2)),
      ],
      stalls: [
        StallRow(
          tick: 13, start: .milliseconds(8), duration: .milliseconds(scale), cause: .importing,
          reason: StallReason(
            context: "main", objectCount: 500, statement: "INSERT INTO \"Z\"(Z_PK, Z_ENT) VALUES(?, ?)",
            waitedFor: scale == 1 ? "root: save (waits for store writer)" : nil,
            waited: scale == 1 ? .microseconds(250) : nil))
      ])
  }

  static let six = [
    trial("all-main", nil, scale: 6), trial("worker-merge", "notification", scale: 1),
    trial("child-of-main", nil, scale: 5), trial("reversed-parent", "root", scale: 3),
    trial("three-tier", nil, scale: 4), trial("per-view-controller", nil, scale: 2),
  ]

  static let manifest = Manifest(
    versions: Manifest.Versions(
      tool: "0.1.0", swift: "6.3.1", sqlite: "3.40.1", packages: ["swift-collections": "1.6.0", "Rainbow": "4.2.2"]),
    configuration: "release",
    host: Manifest.Host(cpuModel: "Example CPU", cores: 2, kernel: "6.1.0"),
    fileSystem: Manifest.FileSystem(type: "ext4", fsyncNanoseconds: 1_234_567),
    idleTicks: Manifest.IdleTicks(latenessNanosecondsP50: 47_000, latenessNanosecondsP99: 120_000),
    flags: ["rows": "100000", "trials": "5"], seed: 1, machine: "live",
    startedAt: Date(timeIntervalSince1970: 1_790_000_000), endedAt: Date(timeIntervalSince1970: 1_790_000_060),
    noise: [
      Manifest.Noise(
        topology: "worker-merge", variant: "notification", trial: 1, tickerNanoseconds: 5, mainNanoseconds: nil)
    ])
}
