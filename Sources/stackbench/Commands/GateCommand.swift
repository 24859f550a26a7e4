import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Metrics
import Reporting
import TrialProcesses

/// The command `stackbench gate`, which checks whether a measure has become worse than in a baseline.
struct GateCommand: BlockingCommand {
  private static let standardOutput = "Results/gate"

  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Simulates the gate's runs afresh and compares every measure with a committed baseline.",
    discussion: """
      The runs are \(GateRun.standard.map(\.name).joined(separator: ", ")): the six stacks on the default phone, \
      and four workloads under which stacks go wrong. Each run is simulated on \(GatePlan.standardDraws) devices \
      within 2 % of the profile, with different instants of arrival. The mean of each measure is compared with \
      that of the baseline on the same devices. A measure is worse if it moved by more than its floor. The floor \
      is the larger of the change that a user notices and of the change that chance makes: three standard errors \
      of the difference, and the shift from CPU costs that are changed by 0.35 %. Some of the many measures \
      always move by chance, so runs with a moved measure are simulated on \(GatePlan.standardDraws) further \
      devices, and only a measure that moves there as well counts. The table shows it with the counters of work \
      that explain it. Measures of the amount of observation (\(Measure.all.filter { $0.better == .neither && !$0.isOfHost && !$0.isOfWorkInFlight }.map(\.name).joined(separator: ", "))) get no verdict.

      A baseline is a folder for each run, with summary.csv, trials.csv, draws.csv, manifest.json and \
      \(GateNoise.fileName), which has the floors. A \(GatePlan.fileName) in the baseline's folder may set the \
      number of draws, the change that a user notices, and other runs. That change is given in per cent, or in \
      per cent with a floor in the measure's unit:

        draws: 20
        tolerances:
          default: 1
          hitch_us_per_s: 5
          hitch_total_ns: {percent: 1, floor: 8333334}
        runs:
          feed: --workload feed.json --topology all

      --format json prints one object: schema, verdict (equal, better, worse or incomparable), baseline, runs[], \
      measures {worse, better, tolerated, equal}, mismatches[] {run, kind, message} and stacks[] {run, topology, \
      variant, draws_count, band {before, now}, changes[] {measure, verdict, before, now, change_ppm, noticed, \
      standard_error, shift, floor}, counters[] {name, before, now}, charges[] {work, before_ns, now_ns}}. Members may be added; none changes its meaning.

      Status: 0 nothing worse; 1 something cannot be compared (rows missing or foreign, another schema, profile, SQLite, \
      build configuration or workload, data that did not verify, no baseline yet); 2 something is worse; 64 bad usage \
      or a damaged baseline; 130 interrupted, after cleaning up.
      """)

  enum Format: String, CaseIterable {
    case text
    case markdown
    case json
    case junit
  }

  @Option(
    help: ArgumentHelp("The folder to compare with. (default: \(GateBaseline.standardFolder))", valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var baseline = GateBaseline.standardFolder

  @Flag(help: "Record the results as the baseline, as 'make baseline' does.")
  var record = false

  @Option(
    help: ArgumentHelp(
      "The folder of the fresh results, a folder a run; made if it is missing. (default: \(standardOutput))",
      valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var output = standardOutput

  @Option(
    help: ArgumentHelp(
      "The format of standard output: text, markdown (a comment on a pull request), json or junit (for CI servers). "
        + "(default: text)", valueName: "text|markdown|json|junit"),
    completion: .list(Format.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: Format.allCases.map(\.rawValue)))
  var format = Format.text.rawValue

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Begins draws for that many seconds at most, the first of each run whatever it says; with fewer draws floors are "
        + "wider. (default: "
        + "\(Gate.standardBudget.components.seconds))", valueName: "seconds"),
    transform: OptionValue.integer(in: 0...86_400))
  var budget: Int?

  @Flag(help: "Short for --budget \(Gate.quickBudget.components.seconds).")
  var quick = false

  @Option(
    name: .customLong("raise"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Tries what the gate finds: simulates as if a cost of the device were that many per cent higher; cpu, or a kind of "
        + "work such as faultFired. Repeatable.", valueName: "cost=percent"),
    completion: .list(GateCostChange.names.map { "\($0)=" }), transform: GateCostChange.init(argument:))
  var raised: [GateCostChange] = []

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  static let baselineWords = GateBaseline.Words(
    flag: "--baseline", recording: "'make baseline'", program: "stackbench gate --record")

  func runBlocking() throws -> ExitStatus {
    let path = WorkingFolder.absolutePath(output)
    guard path != WorkingFolder.absolutePath(baseline) else {
      throw RunFailure.usage("--output \(output): is the baseline's own folder; use another")
    }
    guard !record || raised.isEmpty else {
      throw RunFailure.usage("--raise: a baseline is recorded on the device as it is; leave one of them out")
    }
    guard !quick || budget == nil else {
      throw RunFailure.usage("--quick: is short for --budget; use one of them")
    }
    let plan = try GatePlan(of: baseline)
    let baseline = GateBaseline(path: baseline, words: GateCommand.baselineWords)
    // The baseline is read before the output folder is made and before any work that takes time.
    if !record { _ = try baseline.results(of: plan.runs) }
    let folder = try OutputFolder(path, flag: "--output")
    // If the run writes no files, the new folder is removed again.
    defer { folder.removeIfUnused() }
    let gate = Gate(
      baseline: baseline, plan: plan, output: folder, words: .standard, progress: ProgressLine(isQuiet: quiet),
      budget: budget.map { .seconds($0) } ?? (quick ? Gate.quickBudget : Gate.standardBudget), costChanges: raised)
    guard !record else {
      let said = try Interruption.run { try await gate.record() }
      if !quiet { StandardOutput.write("\(said)\n") }
      return .success
    }
    let report = try Interruption.run { try await gate.report() }
    if !quiet {
      let text = try GateCommand.text(of: report, Format(rawValue: format) ?? .text)
      StandardOutput.write(text, keepsColours: StandardOutput.showsColour)
    }
    for line in GateCommand.complaints(about: report) { StandardError.write(line: "error: \(line)") }
    return GateCommand.status(of: report)
  }
}

// MARK: - Output

extension GateCommand {
  static func text(of report: GateOutcome, _ format: Format) throws -> String {
    // Standard error has what cannot be compared; a comment in Markdown has to list it, too.
    func page(listsMismatches: Bool) -> Page {
      GatePage(report, words: .standard, listsMismatches: listsMismatches).page
    }
    return switch format {
    case .text: TerminalPage(page(listsMismatches: false), usesColour: StandardOutput.showsColour).text
    case .markdown: MarkdownPage(page(listsMismatches: true)).text
    case .json: try JSONText.text(of: GateDocument(report))
    case .junit: GateJUnit(report).text
    }
  }

  /// Returns a line for each mismatch that prevents a comparison, and a line with the number of worse measures if there
  /// are any.
  static func complaints(about report: GateOutcome) -> [String] {
    let worse = report.count(.worse)
    let stacks = report.stackCount(with: .worse)
    return report.mismatchLines
      + (worse > 0
        ? [
          "\(worse) measure\(worse == 1 ? "" : "s") of \(stacks) stack\(stacks == 1 ? "" : "s") worse than in "
            + "\(report.baseline)"
        ] : [])
  }

  static func status(of report: GateOutcome) -> ExitStatus {
    switch report.verdict {
    case .equal, .better: .success
    case .worse: .worse
    case .incomparable: .failed
    }
  }
}
