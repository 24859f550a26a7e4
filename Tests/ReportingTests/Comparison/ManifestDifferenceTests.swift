import Foundation
import Testing

@testable import Reporting

@Suite struct ManifestDifferenceTests {
  /// Returns the differences that a change to the made-up manifest makes, as text.
  private func differences(_ change: (inout Manifest) -> Void) -> [ManifestDifference] {
    var changed = MadeUpResults.manifest
    change(&changed)
    return ManifestDifference.between(MadeUpResults.manifest, and: changed, roles: MadeUpResults.roles)
  }

  @Test func `manifests of one command differ in nothing, whenever and however well it ran`() {
    #expect(
      differences {
        $0.startedAt.addTimeInterval(60)
        $0.endedAt.addTimeInterval(90)
        $0.idleTicks = nil
        $0.noise = []
        $0.fingerprint = "0123456789abcdef"
        $0.replay = "stackbench run"
        $0.fileSystem.fsyncNanoseconds = 1
      }.isEmpty)
  }

  @Test(arguments: [
    ("rows", SettingRole.workload), ("save-every", .wiring), ("topology", .stacks), ("trials", .extent),
    ("draws", .draws), ("time-limit", .precaution), ("idle-seconds", .precaution), ("repeat-limit", .precaution),
    ("profile", .device),
  ])
  func `a setting that differs is named with both values and has its role`(name: String, role: SettingRole) {
    var first = MadeUpResults.manifest
    first.flags[name] = "7"
    let found = differences {
      $0.flags = first.flags
      $0.flags[name] = "8"
    }
    // The made-up manifest has some of the flags already, and lacks the others.
    let before = MadeUpResults.manifest.flags[name]
    #expect(found == [ManifestDifference(.setting(role), name: name, title: "--\(name)", first: before, second: "8")])
    #expect(found.first?.description == "--\(name): \(before ?? "not known"), then 8")
  }

  @Test func `flags come in the order of their names, those that one manifest lacks among them`() {
    let found = differences { $0.flags = ["rows": "1", "batch-size": "", "trials": "5", "warmup": "2"] }
    #expect(
      found.map(\.description) == [
        "--batch-size: not known, then not given", "--rows: 100000, then 1", "--warmup: not known, then 2",
      ])
  }

  @Test(arguments: [
    ("rows", true), ("mix", true), ("batch-size", true), ("scroll-speed", true), ("machine", true), ("seed", true),
    ("warmup", true), ("a-flag-of-tomorrow", true), ("lookup", false), ("save-every", false), ("journal-mode", false),
    ("merge-policy", false), ("topology", false), ("trials", false), ("idle-seconds", false),
  ])
  func `what is imported and what the UI does is the workload, how a stack goes about it is not`(
    name: String, isOfWorkload: Bool
  ) {
    var first = MadeUpResults.manifest
    first.flags = [name: "7"]
    var second = first
    second.flags = [name: "8"]
    if name == "machine" { second.machine = "simulated" }
    if name == "seed" { second.seed = 2 }
    #expect(
      ManifestDifference.between(first, and: second, roles: MadeUpResults.roles).map(\.isOfWorkload) == [isOfWorkload])
  }

  @Test func `machine, seed and profile are flags even where the manifest holds them apart`() {
    let found = differences {
      $0.machine = "simulated"
      $0.seed = 9
      $0.profile = "iphone-6s"
      $0.profileVersion = 2
    }
    #expect(
      found.map(\.description) == [
        "--machine: live, then simulated", "--profile: not known, then iphone-6s", "--seed: 1, then 9",
        "profile_version: not known, then 2",
      ])
    #expect(found.map(\.kind) == [.setting(.workload), .setting(.device), .setting(.workload), .profileVersion])
  }

  @Test func `versions, configuration, host and file system are told apart`() {
    let found = differences {
      $0.versions.tool = "0.2.0"
      $0.versions.sqlite = "3.46.0"
      $0.versions.swift = "6.4"
      $0.versions.packages["Rainbow"] = "5.0.0"
      $0.versions.packages["Yams"] = "6.2.2"
      $0.configuration = "debug"
      $0.host = Manifest.Host(cpuModel: "Other CPU", cores: 4, kernel: "6.2.0")
      $0.fileSystem = Manifest.FileSystem(type: "tmpfs", fsyncNanoseconds: 1)
    }
    #expect(
      found.map(\.description) == [
        "configuration: release, then debug", "tool: 0.1.0, then 0.2.0", "sqlite: 3.40.1, then 3.46.0",
        "swift: 6.3.1, then 6.4", "Rainbow: 4.2.2, then 5.0.0", "Yams: not known, then 6.2.2",
        "cpu_model: Example CPU, then Other CPU", "cores: 2, then 4", "kernel: 6.1.0, then 6.2.0",
        "file_system: ext4, then tmpfs",
      ])
    #expect(
      found.map(\.kind) == [
        .configuration, .version, .version, .version, .version, .version, .host, .host, .host, .fileSystem,
      ])
  }

  @Test func `the way back names the same things with their values swapped`() {
    var other = MadeUpResults.manifest
    other.flags["rows"] = "1"
    other.flags["lookup"] = "none"
    other.host.cores = 8
    let there = ManifestDifference.between(MadeUpResults.manifest, and: other, roles: MadeUpResults.roles)
    let back = ManifestDifference.between(other, and: MadeUpResults.manifest, roles: MadeUpResults.roles)
    #expect(
      back
        == there.map { ManifestDifference($0.kind, name: $0.name, title: $0.title, first: $0.second, second: $0.first) }
    )
    #expect(there.count == 3)
  }
}
