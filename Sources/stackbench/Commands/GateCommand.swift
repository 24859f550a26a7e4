import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench gate`, which checks whether a measure has become worse than in a baseline.
struct GateCommand: BlockingCommand {
  private static let standardOutput = "Results/gate"

  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Judges stacks by limits and by a committed baseline, on the same question.",
    discussion: """
      A gate.yaml names runs. Each has the settings of 'stackbench run' that make up a question, the stacks that answer \
      it, and limits. Paths in the file are relative to its folder:

        draws: 10
        runs:
          import:
            settings: {model: Shop.xcdatamodeld, rows: 5000, topology: stack.yaml}
            limits:
              hitch: {at-most: 5 ms/s, on: 90 %}
              stall: 250 ms
              faults_fired_count: 20000

      A limit applies to each stack of the run, on every device or on a share of the devices. The limits are \
      \(LimitedMeasure.common.map { "\($0.name) (\($0.unit))" }.joined(separator: ", ")) and the columns of trials.csv \
      whose smaller values are better. They need no baseline. Devices are drawn from the profile's ranges unless \
      the settings have draws-within. A run with machine: live is held to its limits only.

      --record records the results beside the file, in \(GateBaseline.folderBesidePlan). From then on, the mean of each \
      measure is compared with that of the baseline on the same devices. A changed stack is judged, and so is a changed \
      setting of the stack, such as batch-size or merge-policy. A changed question is incomparable. A measure is worse if \
      it moved by more than its floor. The floor is the larger of the change that a user notices and of the change that \
      chance makes: three standard errors of the difference, and the shift from CPU costs that are changed by 0.35 %. \
      Some of the many measures always move by chance, so runs with a moved measure are simulated on as many further \
      devices, and only a measure that moves there as well counts. The table shows it with the counters of work that \
      explain it. Measures of the amount of observation (\(Measure.all.filter { $0.better == .neither && !$0.isOfHost && !$0.isOfWorkInFlight }.map(\.name).joined(separator: ", "))) get no verdict.

      The evidence of a verdict is a counter, a time or size on drawn devices or on one device, or a live trial.

      Without a file, and without a gate.yaml in the working folder, the runs are those of this program's own gate: \
      \(GateRun.standard.map(\.name).joined(separator: ", ")), the six stacks on the default phone, and four workloads \
      under which stacks go wrong, each on \(GatePlan.standardDraws) devices within 2 % of the profile.

      A baseline is a folder for each run, with summary.csv, trials.csv, draws.csv, manifest.json and \
      \(GateNoise.fileName), which has the floors. A \(GatePlan.fileName) may set the number of draws and the change that \
      a user notices, for all runs or for one. That change is given in per cent, or in per cent with a floor in the \
      measure's unit. A run may also be a line of flags:

        draws: 20
        tolerances:
          default: 1
          hitch_us_per_s: 5
          hitch_total_ns: {percent: 1, floor: 8333334}
        runs:
          feed: --workload feed.json --topology all

      --format json prints one object: schema, verdict (equal, better, worse or incomparable), baseline, runs[], \
      measures {worse, better, tolerated, equal}, changed[], unrecorded[], mismatches[] {run, kind, message}, limits[] \
      {run, stack, limit, measure, at_most, on_percent, now, kept_count, count, kept, evidence} and stacks[] {run, topology, \
      variant, draws_count, band {before, now}, changes[] {measure, verdict, before, now, change_ppm, noticed, \
      standard_error, shift, floor, evidence}, counters[] {name, before, now}, charges[] {work, before_ns, now_ns}}. \
      Members may be added; none changes its meaning. github-action-benchmark (customSmallerIsBetter) and bencher \
      (Bencher Metric Format) print the means of the present figures.

      Status: 0 nothing worse, and all limits kept; 1 something cannot be compared (rows missing or foreign, another schema, \
      profile, SQLite, build configuration or workload, data that did not verify, no baseline yet); 2 something is worse, or \
      a limit is not kept; 64 bad usage, a wrong file or a damaged baseline; 130 interrupted, after cleaning up.
      """)

  @Argument(
    help: ArgumentHelp(
      "The file with the runs and their limits. (default: \(GatePlan.fileName) in the folder that --baseline names, or in "
        + "the working folder, or in \(GateBaseline.standardFolder))", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]), transform: OptionValue.path)
  var file: String?

  @Option(
    folder: """
      The folder to compare with. (default: \(GateBaseline.folderBesidePlan) beside the file; \
      \(GateBaseline.standardFolder) without one)
      """
  )
  var baseline: String?

  @Flag(help: "Record the results as the baseline, as 'make baseline' does.")
  var record = false

  @Option(
    folder: "The folder of the fresh results, a folder a run; made if it is missing. (default: \(standardOutput))")
  var output = standardOutput

  @Option(
    formats: GateReport.formats,
    inWords: "text, markdown (a comment on a pull request), json or junit (for CI servers), github-action-benchmark or "
      + "bencher (for histories)")
  var format = OutputFormat.text

  @Option(
    in: 0...86_400,
    help:
      "Begins draws for that many seconds at most, the first of each run whatever it says; with fewer draws floors are "
      + "wider. (default: "
      + "\(Gate.standardBudget.components.seconds))", valueName: "seconds")
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

  func runBlocking() throws -> ExitStatus {
    let source = GateSource(file: file, baseline: baseline)
    let path = WorkingFolder.absolutePath(output)
    guard path != WorkingFolder.absolutePath(source.baseline) else {
      throw RunFailure.usage("--output \(output): is the baseline's own folder; use another")
    }
    guard !record || raised.isEmpty else {
      throw RunFailure.usage("--raise: a baseline is recorded on the device as it is; leave one of them out")
    }
    guard !quick || budget == nil else {
      throw RunFailure.usage("--quick: is short for --budget; use one of them")
    }
    let baseline = GateBaseline(path: source.baseline, words: source.baselineWords)
    let plan = try source.plan()
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
      // The tables are as wide as those in CI.
      let style = TextStyle(usesColour: StandardOutput.showsColour)
      try StandardOutput.write(GateReport(report, words: source.words), as: format, style: style)
    }
    for line in GateCommand.complaints(about: report) { StandardError.write(line: "error: \(line)") }
    return GateCommand.status(of: report)
  }
}

// MARK: - Output

extension GateCommand {
  /// Returns a line for each mismatch that prevents a comparison, a line for each limit that is not kept, and a line with
  /// the number of worse measures if there are any.
  static func complaints(about report: GateOutcome) -> [String] {
    let worse = report.count(.worse)
    let stacks = report.stackCount(with: .worse)
    return report.mismatchLines + report.brokenLimits.map { "\($0.run), \($0.result.sentence)" }
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
