import ArgumentParser
import CommandShell
import Experiments
import Foundation
import MachineCore
import Reporting
import TrialProcesses

/// The command `stackbench scenario`, which runs known troubles and their cures on a simulated device.
struct ScenarioCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Shows a known trouble and the wiring that avoids it, step by step.",
    discussion: """
      Without a name, the command lists the scenarios. Each is a trouble and a cure: two small programs on a \
      simulated device or on this computer's threads. The story of both is made from what they did: the steps with \
      their queues and times, the waits, the statements, the errors and their objects. 'all' runs every scenario.

      --machine live judges only what does not depend on a computer's speed, such as errors, counts and deadlocks. \
      Scenarios whose trouble is a time, or shows up on some schedules only, run on simulated devices only.

      --seeds runs both sides with several schedule seeds, and prints on how many each showed the trouble: every \
      symptom of the trouble, any symptom of the cure.

      --format json prints one object: schema, machine, profile (absent if live), scenarios[] {id, title, \
      group, seed (absent without one), sources[], published (absent without a figure), as_declared, trouble, \
      cure}, and left_out[] with the scenarios that cannot run live. A side has wiring, end, duration_ns, \
      main_block_ns, main_wait_ns, main_statements_count, other_statements_count, errors[] {call, \
      code, message, objects[]}, observations[] {name, found, right}, spans[] \
      {name, ns}, waits[] of a deadlock, and findings[] {shown, sentence}. Members may be added.

      With --seeds it prints schema, machine, profile and scenarios[] {id, title, as_declared, trouble, cure}. A side \
      has wiring, the numbers of seeds in seeds, completed, deadlocked, trapped (stopped for misuse), stopped (failed \
      otherwise) and shown, and shown_seeds[] with the seeds that showed the trouble.

      Without a name it prints a list of {id, title, group (stop, wrong-data or slowness), sources[], machines[]}.

      Status: 0 each trouble occurred as declared and its cure did not show it (with --seeds: on one seed at least, \
      and on none); 1 otherwise; 64 bad usage; 130 interrupted, after cleaning up.
      """)

  /// The name that selects every scenario.
  private static let everyName = "all"

  private static var names: [String] { ScenarioLibrary.all.map(\.id) + [everyName] }

  @Argument(
    help: ArgumentHelp("The scenario, or all. (default: list them)", valueName: "name"), completion: .list(names))
  var name: String?

  @Option(formats: ScenarioReport.formats) var format = OutputFormat.text

  @Flag(help: "Print a row for each scenario in place of its story.")
  var summary = false

  @Flag(help: "Run the cure in the place of the trouble too, which must end with 1: a check of the check.")
  var cured = false

  @Option(
    help: ArgumentHelp(
      "The machine: live (real threads, real time) or simulated (virtual time). (default: simulated)",
      valueName: "name"),
    completion: .list(ScenarioMachine.Kind.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: ScenarioMachine.Kind.allCases.map(\.rawValue)))
  var machine = ScenarioMachine.Kind.simulated.rawValue

  @OptionGroup var device: SettingFlags<ProfileSettings>

  @Option(
    name: [.customLong("seed"), .customLong("schedule-seed")], parsing: .unconditional,
    help: ArgumentHelp(
      """
      Shuffles threads that could run at the same instant. (default: the scenario's own seed if it has one, otherwise \
      first come, first served)
      """,
      valueName: "n"),
    transform: OptionValue.integer(in: 0...Int.max))
  var seed: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Runs both sides with the schedule seeds 1 to n, and counts those on which each shows the trouble.",
      valueName: "n"),
    transform: OptionValue.integer(in: 1...100_000))
  var seeds: Int?

  func runBlocking() throws -> ExitStatus {
    try checkSeeds()
    guard let name else {
      try StandardOutput.write(ScenarioList(), as: format, style: TextStyle())
      return .success
    }
    let machine = try chosenMachine()
    let named = try ScenarioCommand.scenarios(named: name)
    let scenarios = named.filter { $0.machines.contains(machine.kind) }
    guard !scenarios.isEmpty else {
      throw RunFailure.usage(
        "--machine live: \(name) runs on simulated devices only, because a time or a chosen seed shows its trouble; "
          + "leave the flag out")
    }
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path)
    defer { scratch.remove() }
    let run = ScenarioRun(Children(scratch: scratch), on: machine)
    if let seeds {
      let outcomes = try outcomes(of: scenarios) { try await run.seededOutcome(of: $0, seedCount: seeds) }
      return try write(SeedReport(outcomes, on: machine), outcomes.allSatisfy(\.isAsDeclared))
    }
    let sides: [Scenario.SideName] = cured ? [.cure, .cure] : [.trouble, .cure]
    let outcomes = try outcomes(of: scenarios) { try await run.outcome(of: $0, running: sides) }
    let report = ScenarioReport(
      outcomes, on: machine, leavingOut: named.filter { !$0.machines.contains(machine.kind) }, isSummary: summary)
    return try write(report, outcomes.allSatisfy(\.isAsDeclared))
  }

  /// Returns the outcome of each scenario, in their order.
  private func outcomes<Outcome: Sendable>(
    of scenarios: [Scenario], _ outcome: @escaping @Sendable (Scenario) async throws -> Outcome
  ) throws -> [Outcome] {
    try Interruption.run {
      var outcomes: [Outcome] = []
      for scenario in scenarios { outcomes.append(try await outcome(scenario)) }
      return outcomes
    }
  }

  /// Writes a report, and returns the status that says if every scenario went as declared.
  private func write(_ report: some PrintableResult, _ areAsDeclared: Bool) throws -> ExitStatus {
    try StandardOutput.write(report, as: format)
    return areAsDeclared ? .success : .failed
  }

  /// Checks that no flag contradicts several seeds.
  ///
  /// - Throws: `RunFailure` of bad usage.
  private func checkSeeds() throws(RunFailure) {
    guard let seeds else { return }
    guard name != nil else { throw .usage("--seeds \(seeds): runs a scenario; put its name or all before the flag") }
    let isLive = machine == ScenarioMachine.Kind.live.rawValue
    let others = [
      seed.map { "--seed \($0)" }, isLive ? "--machine live" : nil, cured ? "--cured" : nil,
      summary ? "--summary" : nil,
    ]
    if let other = others.compactMap(\.self).first {
      throw .usage("--seeds \(seeds): counts simulated runs of both sides with many seeds; leave it or \(other) out")
    }
  }

  /// Returns the machine that the flags describe.
  ///
  /// - Throws: `RunFailure` of bad usage for flags of simulated devices with the live machine, and for a profile that
  ///   cannot be read.
  private func chosenMachine() throws -> ScenarioMachine {
    guard machine == ScenarioMachine.Kind.live.rawValue else {
      return .simulated(try device.request.namedProfile(), seed: seed.map(UInt64.init))
    }
    let flags = [device.request.profile.map { "--profile \($0)" }, seed.map { "--seed \($0)" }].compactMap(\.self)
    if let flag = flags.first {
      throw RunFailure.usage("\(flag): concerns simulated devices only; leave --machine live or this flag out")
    }
    return .live
  }

  /// Returns the scenario with a name, or every scenario for `all`.
  ///
  /// - Throws: `RunFailure` of bad usage for another name.
  static func scenarios(named name: String) throws(RunFailure) -> [Scenario] {
    if name == everyName { return ScenarioLibrary.all }
    let found = ScenarioLibrary.all.filter { $0.id == name }
    guard found.isEmpty else { return found }
    throw .usage(
      "\(name): no such scenario; \(NearestName.clause(name, among: names))use one of "
        + names.joined(separator: ", "))
  }
}
