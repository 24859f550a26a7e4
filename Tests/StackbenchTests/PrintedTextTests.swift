import ArgumentParser
import MachineCore
import Metrics
import Reporting
import Testing
import Topologies
import TrialProcesses

@testable import Experiments
@testable import Reporting
@testable import Validation
@testable import stackbench

@Suite struct PrintedTextTests {
  @Test func `the help of the program is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(columns: 80), "help")
  }

  @Test(arguments: [
    "run", "init", "topologies", "workloads", "inspect", "profiles", "validate", "calibrate", "explain", "explore",
    "soak",
    "scenario", "sweep", "trial", "compare", "report", "collect", "gate", "claims", "advise",
  ])
  func `the help of a command is as reviewed`(name: String) throws {
    let command = try #require(Stackbench.configuration.subcommands.first { $0.configuration.commandName == name })
    try Snapshot.check(Stackbench.helpMessage(for: command, columns: 80), "help-\(name)")
  }

  @Test func `the list of profiles is as reviewed`() throws {
    try Snapshot.check(ProfilesCommand.parse([]).text(), "profiles")
  }

  @Test func `the text of a profile is as reviewed`() throws {
    try Snapshot.check(ProfilesCommand.parse(["iphone-6s"]).text(), "profiles-iphone-6s")
    try Snapshot.check(ProfilesCommand.parse(["host"]).text(), "profiles-host")
  }

  @Test func `the text of the reference and the shape is as reviewed`() throws {
    try Snapshot.check(ProfilesCommand.parse(["reference"]).text(), "profiles-reference")
    try Snapshot.check(ProfilesCommand.parse(["core-data"]).text(), "profiles-core-data")
  }

  @Test func `the sentences of stalls are as reviewed`() throws {
    let insert = "INSERT INTO ZPRODUCT(Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES(?, ?, ?, ?)"
    let select = "SELECT t0.Z_PK, t0.ZNAME FROM ZPRODUCT t0 WHERE t0.Z_PK = ?"
    let reasons: [(TimeLabel, StallReason)] =
      TimeLabel.allCases.flatMap { cause -> [(TimeLabel, StallReason)] in
        [
          (cause, StallReason()), (cause, StallReason(context: "main", objectCount: 1)),
          (cause, StallReason(context: "main", objectCount: 500, statement: insert)),
        ]
      } + [
        (
          .fetch,
          StallReason(context: "main", statement: select, waitedFor: "root: save", waited: .microseconds(123_456))
        ),
        (
          .wait,
          StallReason(context: "main", waitedFor: "root: save (waits for store writer)", waited: .milliseconds(9))
        ),
        (.wait, StallReason(context: "screen", waitedFor: "store writer: save on worker", waited: .milliseconds(99))),
        (.wait, StallReason(context: "screen", statement: "COMMIT", waitedFor: "clock", waited: .milliseconds(2))),
      ]
    let sentences = reasons.enumerated().map { index, reason in
      StallSentence(
        name: "worker-merge/notification",
        stall: StallRow(
          tick: index, start: .zero, duration: .microseconds(18_349 + 9_950 * Int64(index)), cause: reason.0,
          reason: reason.1)
      ).text
    }
    try Snapshot.check(sentences.joined(separator: "\n"), "stall-sentences")
  }

  @Test func `the list of topologies is as reviewed`() throws {
    try Snapshot.check(TopologiesCommand.parse([]).text(), "topologies")
  }

  @Test func `the list of workloads is as reviewed`() throws {
    try Snapshot.check(WorkloadsCommand.parse([]).text, "workloads")
  }

  @Test func `a topology's ID prints all variants, and a variant prints only itself`() throws {
    let variants = Topology.known.filter { $0.id == "worker-merge" }
    let all = try TopologiesCommand.parse(["worker-merge"]).text()
    for variant in variants { #expect(all.contains(variant.title)) }
    let one = try TopologiesCommand.parse(["worker-merge/reset"]).text()
    #expect(one.hasPrefix("worker-merge/reset"))
    #expect(variants.filter { one.contains($0.title) }.count == 1)
  }

  @Test func `an unknown topology is refused with a list of topologies`() throws {
    let error = #expect(throws: RunFailure.self) { try TopologiesCommand.parse(["seven"]).text() }
    #expect(error?.status == .badUsage)
    for topology in Topology.known { #expect(error?.message.contains(topology.title) == true) }
  }

  @Test func `help hides the commands of child processes`() {
    let help = Stackbench.helpMessage(columns: 80)
    for hidden in ["child-trial", "child-yardstick", "prepare", "probe"] {
      #expect(!help.split(separator: "\n").contains { $0.hasPrefix("  \(hidden)") })
    }
  }
}
