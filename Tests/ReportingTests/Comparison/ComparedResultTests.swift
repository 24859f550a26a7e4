import Foundation
import Metrics
import OutputFiles
import TestSupport
import Testing

@testable import Reporting

@Suite struct ComparedResultTests {
  private func result(
    _ title: String, _ trials: [TrialRecord] = MadeUpResults.six, _ change: (inout Manifest) -> Void = { _ in }
  ) -> ComparedResult {
    var manifest = MadeUpResults.manifest
    change(&manifest)
    return ComparedResult(title: title, manifest: manifest, trials: trials, roles: MadeUpResults.roles)
  }

  private func refusal(standardFlags: [String: String] = [:], _ change: (inout Manifest) -> Void) -> String? {
    ComparedResult.refusal(result("A"), result("B", MadeUpResults.six, change), standardFlags: standardFlags)
  }

  @Test func `results of one workload are compared, whatever was set, built or run with it`() {
    #expect(
      refusal {
        $0.flags["lookup"] = "record"
        $0.flags["trials"] = "50"
        $0.flags["idle-seconds"] = "9"
        $0.versions.tool = "0.2.0"
        $0.host.kernel = "7.0"
      } == nil)
  }

  @Test(arguments: [
    ("rows", "5000", "--rows: 100000, then 5000"), ("mix", "100:0:0", "--mix: not known, then 100:0:0"),
    ("workload", "flat", "--workload: not known, then flat"),
    ("scroll-speed", "0", "--scroll-speed: not known, then 0"),
  ])
  func `an unlike workload is refused by the flag that differs`(flag: String, value: String, named: String) {
    #expect(
      refusal { $0.flags[flag] = value }
        == "A and B cannot be compared: \(named); use runs for which this is the same")
  }

  @Test func `another machine is named first, whatever else it changes`() {
    let line = refusal {
      $0.machine = "simulated"
      $0.flags["batch-size"] = "500"
    }
    #expect(line?.contains("--machine: live, then simulated;") == true)
  }

  @Test func `another build configuration or profile is refused`() {
    #expect(refusal { $0.configuration = "debug" }?.contains("configuration: release, then debug;") == true)
    #expect(refusal { $0.profileVersion = 2 }?.contains("profile_version: not known, then 2;") == true)
  }

  @Test func `a flag that an older version did not have stands for its default`() {
    #expect(refusal(standardFlags: ["frame-cost": "0"]) { $0.flags["frame-cost"] = "0" } == nil)
    #expect(
      refusal(standardFlags: ["frame-cost": "0"]) { $0.flags["frame-cost"] = "3" }
        == "A and B cannot be compared: --frame-cost: not known, then 3; use runs for which this is the same")
  }

  @Test func `results without a stack in common, or of different data, are refused`() {
    let apart = ComparedResult.refusal(result("A", [MadeUpResults.six[0]]), result("B", [MadeUpResults.six[1]]))
    #expect(apart == "A and B have no stack in common; use runs of the same --topology")
    let other = MadeUpResults.six.map { trial in
      var trial = trial
      trial.measures.storeDigest = String(repeating: "e1", count: 32)
      return trial
    }
    #expect(
      ComparedResult.refusal(result("A"), result("B", other))?.hasPrefix(
        "A and B cannot be compared: store_digest differs, so they imported different data; ") == true)
  }

  @Test func `data that did not verify is named by stack and trial`() {
    var trials = MadeUpResults.six
    trials[2].measures.verified = 0
    trials[4].measures.verified = nil
    #expect(
      result("B", trials).failures == [
        "B: child-of-main, trial 1: its data did not verify", "B: three-tier, trial 1: its data did not verify",
      ])
    #expect(result("A").failures.isEmpty)
  }

  @Test func `what differs without harm is noted, and what casts doubt is a warning`() {
    let second = result("B") {
      $0.flags["lookup"] = "record"
      $0.versions.sqlite = "3.46.0"
      $0.host.cores = 4
      $0.fileSystem = Manifest.FileSystem(type: "tmpfs", fsyncNanoseconds: 1)
      $0.idleTicks = Manifest.IdleTicks(latenessNanosecondsP50: 1, latenessNanosecondsP99: 2_000_000)
      $0.startedAt.addTimeInterval(-60)
    }
    #expect(
      ComparedResult.notes(result("A"), second) == [
        "Differs: --lookup: not known, then record.", "Differs: sqlite: 3.40.1, then 3.46.0.",
        "Warning: different computers: cores: 2, then 4.",
        "Warning: different computers: file_system: ext4, then tmpfs.",
        "Note: B was measured before A; swap them if that is not intended.",
        "Warning: B: the computer was too busy for valid figures: idle ticks started more than 1 ms late.",
        "Warning: B: the store was in memory, where syncs take no time.",
      ])
    #expect(ComparedResult.notes(result("A"), result("B")).isEmpty)
  }

  @Test func `results of a version with fewer columns are read, as long as what is judged is there`() throws {
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let folder = ResultsFolder(path: scratch.path)
    try folder.write(MadeUpResults.six, manifest: MadeUpResults.manifest)
    let csv = TrialTable.csv(MadeUpResults.six)
    func leaveOut(_ column: String) throws {
      let index = try #require(csv.header.firstIndex(of: column))
      let narrow = CSV(
        header: csv.header.enumerated().filter { $0.offset != index }.map(\.element),
        records: csv.records.map { $0.enumerated().filter { $0.offset != index }.map(\.element) })
      try AtomicFile.write(Data(narrow.text.utf8), to: folder.path(of: TrialTable.fileName))
    }
    try leaveOut("commits_count")
    let read = try ComparedResult(folder: scratch.path, roles: MadeUpResults.roles)
    #expect(read.trials.count == 6)
    #expect(read.trials[0].measures.commitsCount == nil)
    #expect(read.trials[0].measures.importNanoseconds == MadeUpResults.six[0].measures.importNanoseconds)
    try leaveOut("import_ns")
    let error = #expect(throws: FileError.self) {
      try ComparedResult(folder: scratch.path, roles: MadeUpResults.roles)
    }
    #expect(error?.description == "\(scratch.path)/trials.csv:1: the column import_ns is missing")
  }
}
