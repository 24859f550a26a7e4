import ArgumentParser
import MachineCore
import Metrics
import Reporting
import Testing
import Topologies
import TrialProcesses

@testable import Experiments
@testable import Validation
@testable import stackbench

@Suite struct PrintedTextTests {
  @Test func `the help of the program is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(columns: 80), "help")
  }

  @Test func `the help of run is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: RunCommand.self, columns: 80), "help-run")
  }

  @Test func `the help of init is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: InitCommand.self, columns: 80), "help-init")
  }

  @Test func `the help of topologies is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: TopologiesCommand.self, columns: 80), "help-topologies")
  }

  @Test func `the help of workloads is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: WorkloadsCommand.self, columns: 80), "help-workloads")
  }

  @Test func `the help of inspect is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: InspectCommand.self, columns: 80), "help-inspect")
  }

  @Test func `the help of profiles is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: ProfilesCommand.self, columns: 80), "help-profiles")
  }

  @Test func `the help of validate is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: ValidateCommand.self, columns: 80), "help-validate")
  }

  @Test func `the help of calibrate is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: CalibrateCommand.self, columns: 80), "help-calibrate")
  }

  @Test func `the help of explain is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: ExplainCommand.self, columns: 80), "help-explain")
  }

  @Test func `the help of scenario is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: ScenarioCommand.self, columns: 80), "help-scenario")
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

  @Test func `the help of sweep is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: SweepCommand.self, columns: 80), "help-sweep")
  }

  @Test func `the help of trial is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: TrialCommand.self, columns: 80), "help-trial")
  }

  @Test func `the help of compare is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: CompareCommand.self, columns: 80), "help-compare")
  }

  @Test func `the help of report is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: ReportCommand.self, columns: 80), "help-report")
  }

  @Test func `the help of collect is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: CollectCommand.self, columns: 80), "help-collect")
  }

  @Test func `the help of gate is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: GateCommand.self, columns: 80), "help-gate")
  }

  @Test func `the help of claims is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: ClaimsCommand.self, columns: 80), "help-claims")
  }

  @Test func `the help of advise is as reviewed`() throws {
    try Snapshot.check(Stackbench.helpMessage(for: AdviseCommand.self, columns: 80), "help-advise")
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
