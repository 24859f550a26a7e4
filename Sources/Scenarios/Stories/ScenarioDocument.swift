import MachineCore

/// The JSON object of a report: stable member names, and one object for each scenario.
struct ScenarioDocument: Encodable {
  private let schema = 1
  private let machine: String
  private let profile: String?
  private let scenarios: [Entry]
  private let leftOut: [String]

  private struct Entry: Encodable {
    var id: String
    var title: String
    var group: ScenarioGroup
    var seed: UInt64?
    var sources: [String]
    var published: String?
    var asDeclared: Bool
    var trouble: Side
    var cure: Side
  }

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

  /// Creates the document of a report.
  init(_ report: ScenarioReport) {
    machine = report.machine.kind.rawValue
    profile = report.machine.device
    leftOut = report.leftOut.map(\.id)
    scenarios = report.outcomes.map { outcome in
      Entry(
        id: outcome.scenario.id, title: outcome.scenario.title, group: outcome.scenario.group,
        seed: outcome.scenario.seeding(report.machine).seed, sources: outcome.scenario.sources,
        published: outcome.scenario.published, asDeclared: outcome.isAsDeclared,
        trouble: Self.side(outcome.scenario.trouble, outcome.trouble, outcome.cure, outcome.troubleFindings),
        cure: Self.side(outcome.scenario.cure, outcome.cure, outcome.trouble, outcome.cureFindings))
    }
  }

  private static func side(
    _ side: Scenario.Side, _ run: RecordedRun, _ other: RecordedRun, _ findings: [Finding]
  ) -> Side {
    Side(
      wiring: side.wiring, end: run.ending?.name ?? "unknown", durationNanoseconds: (run.end - run.start).nanoseconds,
      mainBlockNanoseconds: run.longestMainBlock?.duration.nanoseconds,
      mainWaitNanoseconds: run.longestMainWait?.span.nanoseconds,
      mainStatementsCount: run.mainStatementCount, otherStatementsCount: run.otherStatementCount, errors: run.failures,
      observations: run.observations,
      spans: run.measurements.map { Span(name: $0.name, ns: $0.span.nanoseconds) },
      waits: ScenarioReasons(run, against: other, []).circle,
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
