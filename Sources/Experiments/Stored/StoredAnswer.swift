import Harness
import Metrics
import Reporting
import Topologies

/// The answer of `advise` for a run that is stored, from the trials of the run alone.
///
/// The answer has neither limits nor neighbouring points. Stacks whose data is wrong, and stacks that never show the
/// imported rows although others do, are not ranked.
package struct StoredAnswer {
  private let result: ReportedResult
  private let request: RunRequest

  package init(of result: ReportedResult) {
    self.result = result
    request = RunRequest(of: result.manifest)
  }

  /// The answer, and the stack that it takes.
  ///
  /// - Parameter codeCommand: Returns the command that prints a stack as code, or nil if the code cannot have the stack
  ///   or the records of the run.
  /// - Returns: The answer, and the chosen stack, or nil if the answer takes none or if it cannot be read.
  package func answer(
    codeCommand: (_ stack: StackChoice, _ request: RunRequest) -> String?
  ) -> (answer: AdviceAnswer, taken: StackChoice?) {
    let summaries = ranked
    let stacks = summaries.map { stack(named: $0.identity.name) }
    let options = (try? request.trialExperiment())?.options ?? RunOptions()
    let candidates = zip(summaries, stacks).map { summary, stack in
      let topology = stack?.topologies[0]
      return AdviceCandidate(
        summary, repeatedIn: samples, contextCount: topology.map { AdviceRun.contextCount(of: $0, options) } ?? 0,
        ruleCount: topology?.rules.count ?? 0)
    }
    let advice = Advice(limits: [], priority: nil, candidates: candidates)
    let taken = zip(candidates, stacks).first { $0.0.name == advice.advised?.name }?.1
    let answer = AdviceAnswer(
      advice: advice, question: question,
      stacks: zip(candidates, stacks).compactMap { candidate, stack in
        stack.map { self.stack(candidate.name, of: $0.topologies[0]) }
      },
      uses: [], untried: [], showCommand: request.runCommand,
      codeCommand: taken.flatMap { codeCommand($0, request) },
      reference: result.manifest.reference,
      samples: result.manifest.machine == MachineKind.simulated.rawValue ? .drawnDevices : .liveTrials,
      hitchScale: result.hitchScale)
    return (answer, taken)
  }

  /// The stacks that can be ranked.
  private var ranked: [Summary] {
    let verified = result.summaries.filter { $0.measures.verified == 1 && $0.measures.hitchTotalNanoseconds != nil }
    let showing = verified.filter { $0.measures.timeToVisibleNanosecondsMaximum != nil }
    return showing.isEmpty ? verified : showing
  }

  /// The trials that show how sure the answer is: the draws, or the trials of a live run. A single one shows nothing.
  private var samples: [TrialRecord] {
    if !result.draws.isEmpty { return result.draws }
    return Set(result.trials.map(\.identity.trial)).count > 1 ? result.trials : []
  }

  private func stack(named name: String) -> StackChoice? {
    let own = result.manifest.ownTopologies?.first { $0.title == name }
    return try? StackNames.stack(own?.line ?? name)
  }

  private func stack(_ name: String, of topology: Topology) -> AdviceAnswer.Stack {
    let stalls = result.stalls?.first { $0.name == name }?.rows ?? []
    return AdviceAnswer.Stack(
      name: name, number: topology.number, summary: topology.summary,
      longestStall: stalls.max { $0.duration < $1.duration })
  }

  private var question: AdviceAnswer.Question {
    let identity = result.trials.first?.identity
    return AdviceAnswer.Question(
      profile: identity?.profile ?? "", workload: identity?.workload ?? "", rows: identity?.rows ?? 0,
      seed: result.manifest.seed, trials: result.trials.count + result.draws.count)
  }
}

extension RunRequest {
  /// The settings of a stored run that differ from those that its records and its device have by default. A value that
  /// this version does not know is left out. The stacks are left out too.
  fileprivate init(of manifest: Manifest, _ table: SettingTable = .standard) {
    self.init()
    let all = RunSettings.all
    func take(_ names: [String], butFor standard: [String: String] = [:]) {
      for name in names {
        guard let text = manifest.flags[name], !text.isEmpty, text != standard[name] else { continue }
        let isMap = name == Manifest.SettingName.map.rawValue
        self[named: name] = try? table.value(of: name, from: isMap ? manifest.map?.line ?? text : text)
      }
    }
    take([all.machine.name, all.profile.name, all.workload.name, all.model.name, all.rows.name])
    let usual = StandardFlags.like(manifest)
    var standard = (try? trialExperiment(table)).map(table.recorded) ?? usual
    // A unit is a payload by default.
    standard[all.saveEvery.name] = manifest.flags[all.batchSize.name]
    if manifest.flags[all.workload.name] == usual[all.workload.name] { self.workload = nil }
    let names = table.settings.map(\.name).filter { $0 != all.topology.name && manifest.flags[$0] != nil }
    take(names, butFor: standard)
  }
}
