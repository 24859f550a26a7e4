import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Metrics
import OutputFiles
import Reporting
import Topologies
import TrialProcesses

/// The command `stackbench advise`, which recommends a stack.
struct AdviseCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Advises which stack to take for given limits or a priority, and shows what would change the answer.",
    usage: "stackbench advise [<limits>] [--priority <name>] [<options>] [<flags of run>]",
    discussion: """
      The command simulates the six stacks and \(variants.joined(separator: ", ")), or the stacks that \
      --topology names. --profile, --workload, --rows, --batch-size and the other flags of 'stackbench run' \
      choose the device and the workload. The data of every trial is verified. A stack qualifies if it keeps \
      every limit, loses no edit, makes no duplicate and leaves no row of a list stale. A value equal to its \
      limit keeps it. A limit on a time applies to the worst single case and not to a percentile.

      The qualifying stacks are ranked by the priority, which is smoothness by default:
      \(criteria)
      The first measure decides. The next one decides only among stacks that the first does not separate. Two stacks are separated by a difference beyond the floors of 'stackbench compare' (for times that it does not list, the floor of visible p99) that has the same sign in \
      nine of ten draws of the profile's ranges. Other stacks are called equal. Among them the one that comes first in most draws is advised, then the one with fewer contexts, then the one with fewer rules.

      The command also changes one setting at a time: the rows of the store, or the mix of generated records; the \
      screens, their rows and the batches of their fetches; half and double the batch size and the save interval; the \
      next slower and the next faster shipped device. The answer flips if another stack comes first there, or if the \
      advised stack no longer qualifies. A feed is answered for an empty and for a full store, each with all draws.

      The answer is short: the stack, the frames that it drops beside --reference and beside an import on main, how \
      sure it is the best and smooth, the longest block of main in the other stack, what would change the answer, and \
      the next steps. --verbose adds all tables.

      --format json prints one object: schema, profile, workload, rows, seed, trials, priority, ranked_by[], limits[] {measure, \
      most, asked}, draws, draws_without (in how many none qualifies), sureness (sure: first in nine draws of ten; likely: in half; else \
      unsure), reference (null if none was named), advised (null where none qualifies), equal[], \
      nearest (where none qualifies, else null), stacks[] {topology, qualifies, checks[] {measure, value, met}, ranks{}, \
      contexts, rules, draws_qualifying, draws_first, draws_good}, costs[] {measure, value, best, best_value, others_better}, \
      contexts[] {purpose, context, reason, source}, points[] {flag, value, change (same, overtaken, disqualified or \
      found), first[], missed[], command}, untried[], command, code_command. Values are in the units of the columns; \
      members may be added, none changes its meaning.

      Status: 0 a stack is advised; 1 none qualifies, or a trial failed or its data did not verify; 64 bad usage or \
      damaged input; 130 interrupted, after cleaning up.
      """)

  @OptionGroup(title: "LIMITS") var limits: LimitFlags

  @Option(oneOf: priorities, help: "The priority: \(priorities.joined(separator: ", ")). (default: smoothness)")
  var priority: String?

  @Option(
    in: 0...10_000,
    help: "How many devices are drawn from the profile's ranges, to say how sure the ranking is; 0 = none. "
      + "(default: \(Experiment.standardDraws))")
  var draws = Experiment.standardDraws

  @Option(
    folder:
      "The folder of the stores during the runs. Files made there are removed. (default: the system's for temporary files)"
  )
  var scratch: String?

  @OptionGroup var answer: AnswerFlags<AdvicePage>

  @OptionGroup var reference: ReferenceFlags

  @Flag(help: "Print the tables, the contexts and the commands in addition to the short answer.")
  var verbose = false

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  /// The settings of the simulated runs.
  @OptionGroup var runFlags: RunFlags<AdviceSettings>

  @OptionGroup var settingsFile: SettingsFileFlags

  /// Returns the limits that the flags set.
  ///
  /// - Throws: `RunFailure` with status 64 for a limit that cannot be checked.
  func askedLimits() throws -> [AdviceLimit] {
    try limits.validateComparable()
    return limits.asked
  }

  func runBlocking() throws -> ExitStatus {
    let asked = try askedLimits()
    return try settingsFile.use(
      with: runFlags.request, isQuiet: quiet, accepting: { $0.uses.contains(.advice) },
      { try run($0, asked: asked) })
  }

  private func run(_ request: RunRequest, asked: [AdviceLimit]) throws -> ExitStatus {
    let reference = try reference.stack()
    let given = AdviseCommand.withStacks(request, reference: reference)
    // The plan is checked before any work that takes time.
    _ = try AdvicePlan(around: given)
    let folder = try OutputFolder(
      WorkingFolder.absolutePath(scratch ?? NSTemporaryDirectory()), flag: "--scratch", sharing: .all)
    defer { folder.removeIfUnused() }
    let target = try answer.folder()
    let run = AdviceRun(given: given, draws: draws, words: .standard, progress: ProgressLine(isQuiet: quiet))
    let outcome = try Interruption.run { try await run.run(in: folder) }
    guard outcome.failures.isEmpty else {
      for failure in outcome.failures { StandardError.write(line: "error: \(failure)") }
      return .failed
    }
    let report = report(of: outcome, asked: asked, given, reference: given.reference(reference))
    let page = AdvicePage(report, words: .standard, isVerbose: verbose)
    try answer.show(page, in: target, isQuiet: quiet) { format in
      format == .text ? page : AdvicePage(report, words: .standard)
    }
    return report.advice.advised == nil ? .failed : .success
  }
}

// MARK: - The answer

extension AdviseCommand {
  private static let priorities = AdvicePriority.allCases.map(\.rawValue)

  /// Returns the request with the user's stack. If the request names no stacks, the six are added, and the variants that
  /// apps choose as often as the default variant.
  private static func withStacks(_ given: RunRequest, reference: ReferenceStack?) -> RunRequest {
    let isChosen = given.topology != nil || given.merge != nil
    let request =
      isChosen ? given : given.with(\.topology, ([StackNames.all] + variants).map(StackChoice.named))
    return request.adding(reference)
  }

  private static let variants = ["worker-merge/automatic"]

  /// The measures by which each priority ranks the stacks, one line for each priority.
  private static var criteria: String {
    AdvicePriority.allCases.map { priority in
      "  \(priority.rawValue): \(priority.criteria.map(\.title).joined(separator: ", then "))"
    }.joined(separator: "\n")
  }

  private func report(
    of outcome: AdviceRun.Outcome, asked: [AdviceLimit], _ given: RunRequest, reference: String?
  ) -> AdviceAnswer {
    let advice = Advice(
      limits: asked, priority: priority.flatMap(AdvicePriority.init(rawValue:)), candidates: outcome.candidates,
      points: outcome.points)
    let topologies = outcome.results.experiment.topologies
    let advised = topologies.first { $0.title == advice.advised?.name }
    let summaries = outcome.results.summaries
    return AdviceAnswer(
      advice: advice, question: AdviseCommand.question(outcome),
      stacks: topologies.map { topology in
        let shown = summaries.first { $0.identity.name == topology.title }?.shownTrial
        return AdviceAnswer.Stack(
          name: topology.title, number: topology.number, summary: topology.summary,
          longestStall: shown?.stalls.max { $0.duration < $1.duration })
      },
      uses: (advised?.uses ?? []).map { use in
        AdviceAnswer.Use(
          purpose: use.purpose.rawValue, context: use.context, reason: use.reason, source: use.source)
      },
      untried: outcome.untried, showCommand: given.with(\.draws, draws).runCommand,
      codeCommand: advised.flatMap { topology in
        let word = (given.topology ?? []).word(of: topology)
        return TopologiesCommand.codeCommand(
          for: word == topology.title ? .named(word) : .own(topology, source: word), given)
      },
      reference: reference, hitchScale: outcome.results.hitchScale)
  }

  private static func question(_ outcome: AdviceRun.Outcome) -> AdviceAnswer.Question {
    let identity = outcome.results.records.first?.identity
    return AdviceAnswer.Question(
      profile: identity?.profile ?? "", workload: identity?.workload ?? "", rows: identity?.rows ?? 0,
      seed: outcome.results.experiment.options.seed, trials: outcome.trialCount,
      conditions: RunConditions(
        settings: SettingTable.standard.recorded(outcome.results.experiment),
        counts: outcome.results.records.first?.counts)
    )
  }
}
