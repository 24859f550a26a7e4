import Foundation
import Reporting
import Testing

@testable import Experiments

/// The command in a manifest that repeats a simulated run.
@Suite struct ReplayTests {
  @Test(arguments: [
    ["--topology", "worker-merge", "--merge", "reset", "--topology", "three-tier", "--schedule-seed", "0"],
    [
      "--topology", "per-view-controller", "--properties-to-fetch", "name", "--arrival-interval", "12.5",
      "--frame-work",
      "0.25", "--cell-work", "12.5", "--seed", "18446744073709551615", "--draws", "2", "--journal-mode", "delete",
      "--decode", "import",
    ],
    [
      "--topology", "all-main", "--topology", "reversed-parent/child", "--profile", "iphone-6-ios-11", "--workload",
      "flat", "--lookup", "record", "--mix", "50:50:0", "--merge-policy", "overwrite", "--view-controllers", "0",
    ],
    [
      "--topology", "all", "--workload", "flat", "--mix", "100:0:0", "--strategy", "batch-insert", "--save-every", "50",
    ],
    ["--topology", "three-tier", "--store-save", "idle:35", "--trials", "2", "--warmup", "1", "--refresh-rate", "59"],
  ])
  func `the command of a manifest describes the same run`(flags: [String]) throws {
    let experiment = try RunRequest(arguments: ["--machine", "simulated"] + flags).experiment()
    let manifest = Results(
      experiment: experiment, words: .standard, fileSystem: "", records: [], draws: [], killed: [],
      start: .distantPast, end: .distantPast
    ).manifest
    let words = try #require(manifest.replay).split(separator: " ").map(String.init)
    #expect(words.prefix(2) == ["stackbench", "run"])
    let again = try RunRequest(arguments: Array(words.dropFirst(2))).experiment()
    #expect(SettingTable.standard.recorded(again) == SettingTable.standard.recorded(experiment))
  }
}
