import MachineCore
import Metrics

@testable import Reporting

/// Results for reports, with stacks that are equal except for the changes of a test.
enum MadeUpReport {
  /// Returns a result with smooth and right trials of each stack on a simulated machine.
  ///
  /// `change` receives each trial, whose number is counted from 1.
  static func result(
    _ names: [String] = ["a", "b", "c"], trials: Int = 1, machine: String = "simulated",
    changing change: (inout TrialRecord) -> Void = { _ in }
  ) -> ReportedResult {
    var manifest = MadeUpResults.manifest
    manifest.machine = machine
    manifest.flags = ["rows": "15000", "existing-rows": "3000", "scroll-speed": "30", "topology": "a b c"]
    let records = (1...trials).flatMap { number in
      names.map { name in
        var trial = MadeUpResults.trial(name, nil, scale: 1, trial: number)
        trial.measures.hitchTotalNanoseconds = 0
        trial.measures.hitchMicrosecondsPerSecond = 0
        trial.measures.hangsCount = 0
        trial.measures.stallNanosecondsMaximum = 5_000_000
        change(&trial)
        return trial
      }
    }
    return ReportedResult(
      title: "Results/latest", manifest: manifest, roles: MadeUpResults.roles, trials: records, stalls: [])
  }

  /// Returns the answer for a result, whose stacks have one context each.
  static func answer(_ result: ReportedResult) -> AdviceAnswer {
    let trials = Set(result.trials.map(\.identity.trial)).count > 1 ? result.trials : []
    let candidates = result.summaries.filter { $0.measures.verified == 1 && $0.measures.hitchTotalNanoseconds != nil }
      .map { summary in
        AdviceCandidate(
          summary, repeatedIn: result.draws.isEmpty ? trials : result.draws, contextCount: 1, ruleCount: 0)
      }
    let advice = Advice(limits: [], priority: nil, candidates: candidates)
    return AdviceAnswer(
      advice: advice, question: AdviceAnswer.Question(profile: "", workload: "", rows: 0, seed: 1, trials: 1),
      stacks: candidates.map { AdviceAnswer.Stack(name: $0.name, number: "#1", summary: "a stack") }, uses: [],
      untried: [], showCommand: "", codeCommand: advice.advised.map { "stackbench topologies \($0.name)" },
      samples: result.manifest.machine == "simulated" ? .drawnDevices : .liveTrials)
  }

  /// Returns the stalls of one stack, by their milliseconds.
  static func stalls(of topology: String, _ milliseconds: [Int64]) -> TopologyRows<StallRow> {
    TopologyRows(
      topology: topology, variant: nil,
      rows: milliseconds.enumerated().map { index, duration in
        StallRow(tick: index, start: .milliseconds(Int64(index)), duration: .milliseconds(duration), cause: .save)
      })
  }

  static func named(_ name: String, _ change: @escaping (inout TrialMeasures) -> Void) -> (inout TrialRecord) -> Void {
    { trial in if trial.identity.topology == name { change(&trial.measures) } }
  }
}
