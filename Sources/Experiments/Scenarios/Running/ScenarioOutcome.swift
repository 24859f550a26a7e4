/// The runs of both sides of a scenario, and the judgement on them.
package struct ScenarioOutcome: Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// The symptoms by which the sides are judged.
  package let symptoms: [Symptom]
  /// The side that should show the trouble.
  package let trouble: RecordedRun
  /// The side that should not.
  package let cure: RecordedRun
  /// The answers for the trouble, in the order of the symptoms.
  package let troubleFindings: [Finding]
  /// The answers for the cure, in the order of the symptoms.
  package let cureFindings: [Finding]

  /// Judges two sides that ran on a kind of machine.
  package init(
    _ scenario: Scenario, on machine: ScenarioMachine.Kind = .simulated, trouble: RecordedRun, cure: RecordedRun
  ) {
    self.scenario = scenario
    symptoms = scenario.symptoms(on: machine)
    self.trouble = trouble
    self.cure = cure
    troubleFindings = symptoms.map { $0.finding(in: trouble, against: cure) }
    cureFindings = symptoms.map { $0.finding(in: cure, against: trouble) }
  }

  /// True if the trouble showed every symptom and ended in a way that the scenario declares.
  package var troubleOccurred: Bool {
    guard !symptoms.isEmpty, troubleFindings.allSatisfy(\.isShown) else { return false }
    switch trouble.ending {
    case .completed?: return true
    case .deadlock?: return symptoms.contains(.deadlock)
    case .trapped?:
      return symptoms.contains { if case .trap = $0 { true } else { false } }
    case .stopped?, nil: return false
    }
  }

  /// True if the cure ended by itself and showed no symptom.
  package var cureHelped: Bool {
    cure.ending == .completed && cureFindings.allSatisfy { !$0.isShown }
  }

  /// True if the scenario went as declared: the trouble occurred, and the cure did not show it.
  package var isAsDeclared: Bool { troubleOccurred && cureHelped }
}
