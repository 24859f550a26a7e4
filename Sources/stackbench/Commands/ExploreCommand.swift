import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Harness
import MachineCore
import MachineSimulated
import Reporting
import Topologies
import TrialProcesses
import Workloads

/// The command `stackbench explore`, which runs a small import in a stack, or a scenario, under many schedules.
struct ExploreCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Runs a small import under many orders of its threads, and checks its data in each.",
    discussion: """
      In other commands the costs of a device decide which thread runs next. Here it may be any thread that can run, \
      at each lock, queue, timer and access to the store. In each schedule two lanes import 24 records while the user \
      edits a row of a list.

      The laws: no edit is lost, no row is there twice, the store has the right rows, the screen shows them at rest, \
      no threads wait for each other, the trial ends, and no statement finds the store's file locked. Defects that a \
      stack declares as tolerated are no failure. A scenario breaks the law if it shows its trouble.

      A schedule is made from a seed. With --search mixed, odd seeds choose each time at random; even seeds give \
      threads priorities that change at a few points. With exhaustive, every schedule with up to --depth choices \
      against the usual order runs.

      The first schedule that breaks a law is shortened and printed step by step, with the command that repeats it.

      --format json prints one object: schema, profile, subjects[] {name, schedules_count, without_edit_count, \
      orders_count, decisions_count, failures_count, is_exhausted, complaint, seed, replay, shortened[] {decision, \
      choice}}. The last four are absent if no law was broken, and seed if the schedule has none. Members may be added.

      Status: 0 no law was broken; 1 a law was broken, or a schedule cannot be run; 64 bad usage; 130 interrupted, \
      after cleaning up.
      """)

  @Argument(
    help: ArgumentHelp(
      "The stack, a file that describes one, a scenario, all (the six stacks) or all+ (with their relatives).",
      valueName: "id|file.yaml"), completion: .stack)
  var name: String

  @Option(formats: ExplorationReport.formats) var format = OutputFormat.text

  @Option(in: 1...100_000_000, help: "Schedules of each stack. (default: 1000)")
  var schedules = 1_000

  @Option(in: 0...Int.max, help: "The seed of the first schedule. (default: 1)")
  var firstSeed = 1

  @Option(
    help: ArgumentHelp(
      "The rule that makes schedules: mixed, random, priorities or exhaustive. (default: mixed)", valueName: "name"),
    completion: .list(searchNames), transform: OptionValue.name(of: searchNames))
  var search = SeededSearch.Kind.mixed.rawValue

  @Option(
    in: 1...100,
    help: "Points at which priorities change, and with exhaustive the choices against the usual order. (default: 3)")
  var depth = 3

  @Option(
    help: ArgumentHelp(
      "One schedule: choices against the usual order, as in 12:1,40:2, or none.", valueName: "decision:choice,…"),
    transform: Self.deviations)
  var choices: [ScheduleSearch.Deviation]?

  @Flag(help: "Run all schedules, and count those that break a law.")
  var keepGoing = false

  @Flag(help: "Explore the cure of a scenario in place of its trouble.")
  var cured = false

  @Option(in: 1...1_000, help: "Records in the import. (default: 24)")
  var rows = 24

  @Option(in: 1...64, help: "Imports at a time. (default: 2)")
  var lanes = 2

  @OptionGroup var device: SettingFlags<ProfileSettings>

  @Flag(help: "Print nothing but the result and errors.")
  var quiet = false

  private static let exhaustive = "exhaustive"
  private static let searchNames = SeededSearch.Kind.allCases.map(\.rawValue) + [exhaustive]

  func runBlocking() throws -> ExitStatus {
    let profile = try device.request.namedProfile()
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path)
    defer { scratch.remove() }
    let children = Children(scratch: scratch)
    let progress = ProgressLine(isQuiet: quiet)
    let programs = try programs(on: profile, scratch)
    let subjects = try Interruption.run {
      var subjects: [ExplorationReport.Subject] = []
      for (name, program) in programs {
        let exploration = Exploration(
          program, children: children, progress: PrefixedProgressDisplay(display: progress, prefix: "\(name): "))
        let outcome = try await exploration.run(plannedSchedules, keepsGoing: keepGoing)
        progress.clear()
        subjects.append(ExplorationReport.Subject(name: name, outcome: outcome, replay: replay(name, outcome)))
      }
      return subjects
    }
    let report = ExplorationReport(subjects, description: description, device: profile.name)
    try StandardOutput.write(report, as: format)
    return report.isClean ? .success : .failed
  }

  private var plannedSchedules: Exploration.Schedules {
    if let choices { return .one(choices) }
    guard let kind = SeededSearch.Kind(rawValue: search) else {
      return .exhaustive(deviations: depth, limit: schedules)
    }
    return .seeded(kind, depth: depth, first: UInt64(firstSeed), count: schedules)
  }

  private var isGroup: Bool { StackNames.isGroup(name) }

  private var isScenario: Bool { ScenarioLibrary.all.contains { $0.id == name } }

  private var description: String {
    isScenario
      ? "Each schedule runs the \(cured ? "cure" : "trouble") of the scenario."
      : "Each schedule imports \(CountText.of(rows, "record")) in \(CountText.of(lanes, "lane")) while a user edits."
  }

  /// Returns the command that repeats the schedule that broke a law, or nil if none did.
  private func replay(_ name: String, _ outcome: Exploration.Outcome) -> String? {
    guard let failure = outcome.first else { return nil }
    // Of several stacks, the one that broke the law is named. Otherwise the argument may be a file.
    var words = ["stackbench explore", isGroup ? name : self.name]
    if rows != 24 { words.append("--rows \(rows)") }
    if lanes != 2 { words.append("--lanes \(lanes)") }
    if cured { words.append("--cured") }
    if let profile = device.request.profile { words.append("--profile \(profile)") }
    if let shortened = outcome.shortened {
      let choices = shortened.map { "\($0.decision):\($0.choice)" }.joined(separator: ",")
      words.append("--choices \(choices.isEmpty ? "none" : choices)")
    } else if let seed = failure.seed {
      words.append("--search \(search) --depth \(depth) --first-seed \(seed) --schedules 1")
    }
    return words.joined(separator: " ")
  }

  /// Reads the choices of one schedule.
  private static func deviations(_ text: String) throws -> [ScheduleSearch.Deviation] {
    guard text != "none" else { return [] }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      let numbers = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let decision = numbers[0], let choice = numbers[1], decision >= 0, choice > 0 else {
        throw OptionValue.Refusal(
          description: "\(word): not a choice; use the number of a decision from 0 and of its choice from 1, as in 12:1"
        )
      }
      return ScheduleSearch.Deviation(decision: decision, choice: choice)
    }
  }
}

// MARK: - Programs

extension ExploreCommand {
  /// Returns the programs that are explored, with their names, after their workload and store were made.
  private func programs(on profile: Profile, _ scratch: ScratchFolder) throws -> [(String, ExploredProgram)] {
    if let scenario = ScenarioLibrary.all.first(where: { $0.id == name }) {
      guard !scenario.symptoms(on: .live).isEmpty else {
        throw RunFailure.usage("\(name): its trouble is a time, which no order of threads makes right or wrong")
      }
      return [(name, .scenario(id: name, side: cured ? .cure : .trouble, profile: profile))]
    }
    guard !cured else { throw RunFailure.usage("--cured: concerns scenarios; \(name) is a stack") }
    if !isGroup, Topology.named(name) == nil, !name.contains(where: { "./{".contains($0) }),
      let question = NearestName.question(name, among: ScenarioLibrary.all.map(\.id))
    {
      throw RunFailure.usage("\(name): neither a stack nor a scenario; \(question)")
    }
    let topologies =
      isGroup
      ? StackChoice.named(name).topologies.filter { !$0.importsInSecondProcess } : try StackNames.stack(name).topologies
    if let other = topologies.first(where: \.importsInSecondProcess) {
      throw RunFailure.usage("\(other.title): \(StackNames.secondProcessLimit)")
    }
    return try ExploredImport(rows: rows, lanes: lanes, profile: profile).programs(for: topologies, in: scratch)
  }
}
