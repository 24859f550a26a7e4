import MachineCore
import Reporting
import TrialProcesses

extension ScenarioMachine {
  /// Returns the JSON object of scenarios that ran on the machine, with the names of those that cannot run on it. The
  /// names of its members are stable.
  func json(_ scenarios: [JSONObject], leftOut: [String]? = nil) -> JSONObject {
    return .leavingOutNulls([
      "schema": 1, "machine": kind.rawValue, "profile": device, "scenarios": scenarios, "left_out": leftOut,
    ])
  }
}

extension ScenarioOutcome {
  /// Returns the JSON object of a scenario that ran on a machine.
  func json(on machine: ScenarioMachine) -> JSONObject {
    return .leavingOutNulls([
      "id": scenario.id, "title": scenario.title, "group": scenario.group, "seed": scenario.seeding(machine).seed,
      "sources": scenario.sources, "published": scenario.published, "as_declared": isAsDeclared,
      "trouble": trouble.json(wiring: scenario.trouble.wiring, besides: cure, troubleFindings),
      "cure": cure.json(wiring: scenario.cure.wiring, besides: trouble, cureFindings),
    ])
  }
}

extension RecordedRun {
  /// Returns the JSON object of a side. The other side is compared with it to find what it waited for.
  fileprivate func json(wiring: String, besides other: RecordedRun, _ findings: [Finding]) -> JSONObject {
    let spans: [JSONObject] = measurements.map { ["name": $0.name, "ns": $0.span.nanoseconds] }
    let answers: [JSONObject] = findings.map { ["shown": $0.isShown, "sentence": $0.sentence] }
    return .leavingOutNulls([
      "wiring": wiring, "end": ending?.name ?? "unknown", "duration_ns": (end - start).nanoseconds,
      "main_block_ns": longestMainBlock?.duration.nanoseconds, "main_wait_ns": longestMainWait?.duration.nanoseconds,
      "main_statements_count": mainStatementCount, "other_statements_count": otherStatementCount, "errors": failures,
      "observations": observations, "spans": spans, "findings": answers,
      "waits": ScenarioReasons(run: self, cure: other, symptoms: []).circle,
    ])
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
