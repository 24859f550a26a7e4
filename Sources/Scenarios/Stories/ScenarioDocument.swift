import MachineCore
import TrialProcesses

/// The JSON object of a report: stable member names, and one object for each scenario.
struct ScenarioDocument<Entry: Encodable>: Encodable {
  private let schema = 1
  private let machine: String
  private let profile: String?
  private let scenarios: [Entry]
  private let leftOut: [String]?

  /// Creates the document of scenarios that ran on a machine, with the names of those that cannot run on it.
  init(_ machine: ScenarioMachine, _ scenarios: [Entry], leftOut: [String]? = nil) {
    self.machine = machine.kind.rawValue
    profile = machine.device
    self.scenarios = scenarios
    self.leftOut = leftOut
  }
}

/// The JSON object of one scenario.
struct ScenarioEntry: Encodable {
  private var id: String
  private var title: String
  private var group: ScenarioGroup
  private var seed: UInt64?
  private var sources: [String]
  private var published: String?
  private var asDeclared: Bool
  private var trouble: Side
  private var cure: Side

  private struct Side: Encodable {
    var wiring: String
    var end: String
    var durationNanoseconds: Int64
    var mainBlockNanoseconds: Int64?
    var mainWaitNanoseconds: Int64?
    var mainStatementsCount: Int
    var otherStatementsCount: Int
    var errors: [Note.Failure]
    var observations: [Note.Observation]
    var spans: [Span]
    var waits: [String]
    var findings: [Answer]
  }

  private struct Span: Encodable {
    var name: String
    var ns: Int64
  }

  private struct Answer: Encodable {
    var shown: Bool
    var sentence: String
  }

  /// Creates the object of a scenario that ran on a machine.
  init(_ outcome: ScenarioOutcome, on machine: ScenarioMachine) {
    let scenario = outcome.scenario
    id = scenario.id
    title = scenario.title
    group = scenario.group
    seed = scenario.seeding(machine).seed
    sources = scenario.sources
    published = scenario.published
    asDeclared = outcome.isAsDeclared
    trouble = Self.side(scenario.trouble, outcome.trouble, outcome.cure, outcome.troubleFindings)
    cure = Self.side(scenario.cure, outcome.cure, outcome.trouble, outcome.cureFindings)
  }

  private static func side(
    _ side: Scenario.Side, _ run: RecordedRun, _ other: RecordedRun, _ findings: [Finding]
  ) -> Side {
    Side(
      wiring: side.wiring, end: run.ending?.name ?? "unknown", durationNanoseconds: (run.end - run.start).nanoseconds,
      mainBlockNanoseconds: run.longestMainBlock?.duration.nanoseconds,
      mainWaitNanoseconds: run.longestMainWait?.duration.nanoseconds,
      mainStatementsCount: run.mainStatementCount, otherStatementsCount: run.otherStatementCount, errors: run.failures,
      observations: run.observations,
      spans: run.measurements.map { Span(name: $0.name, ns: $0.span.nanoseconds) },
      waits: ScenarioReasons(run: run, cure: other, symptoms: []).circle,
      findings: findings.map { Answer(shown: $0.isShown, sentence: $0.sentence) })
  }
}

extension Note.Ending {
  /// The name of the ending.
  var name: String {
    switch self {
    case .completed: "completed"
    case .deadlock: "deadlock"
    case .trapped: "trapped"
    case .stopped: "stopped"
    }
  }
}
