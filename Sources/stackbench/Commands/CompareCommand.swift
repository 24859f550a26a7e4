import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench compare`, which shows what is worse, better or equal in the second of two results.
struct CompareCommand: BlockingCommand {
  private static let standardScratch = ".build/compare"
  private static let standardPairs = 12

  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two results, or two versions of the program, and shows which is worse, and in which measures.",
    usage: """
      stackbench compare [<folder>] [<folder>] [<options>]
      stackbench compare --live <revision> <revision> [<options>] [<flags of run>]
      """,
    discussion: """
      One folder is compared with the result that it held before, which 'stackbench run' moved to a neighbouring \
      folder. The default folder is \(FolderComparison.standardFolder).

      The output begins with the verdict, then shows the measures that decided it, then the tables. A change by \
      a factor of two or more is printed as a ratio, a smaller one in per cent.

      Eight measures of each stack get a verdict. Worse and better need significance (5 % over all tests \
      together, by Holm's correction) and a shift beyond both floors below. Equal needs a 95 % interval of the \
      shift that lies inside the floors. Anything else is inconclusive. All other columns are shown without a \
      verdict.

      Two folders hold two runs, and the speed of a computer changes between runs. The test is that of Mann and \
      Whitney, the shift that of Hodges and Lehmann, and a change below 15 % is never called worse or better. \
      Simulated runs have no chance in them, so their difference is exact. A change above the relative floor \
      that is still equal is marked as below the floor. Runs of different workloads are refused.

      With --live, two revisions of the git repository in the working folder are built, and their trials take \
      turns on this computer, A B B A, so that disturbances affect both. The test is that of Wilcoxon on the \
      pairs. If single trials are disturbed, --trials 5 represents a side by the mean of the three trials of \
      five that took the least CPU. It finds smaller shifts with as many pairs, but not a fault that appears in \
      one trial of three. A side can also be the path of a built program, such as ./stackbench. Flags of \
      'stackbench run' apply to both sides.

      The floors, as a share of the first result's median and as the least amount:
      \(floors)

      Status: 0 not worse; 1 a trial failed, its data did not verify, or a revision does not build; 2 worse; 64 bad \
      usage, damaged input or unlike runs; 130 interrupted, after cleaning up.
      """)

  @Flag(help: "Compare two revisions, or programs, by trials in turns on this machine.")
  var live = false

  @Option(in: 1...1_000, help: "Pairs of trials of each stack; with --live. (default: \(standardPairs))")
  var pairs: Int?

  @Option(
    in: 1...100,
    help:
      "Trials of each stack on either side of a pair, of which the half that took the least CPU counts; with --live. "
      + "(default: 1)")
  var trials: Int?

  @Option(
    folder: "The folder of builds and stores; with --live. Files made there are removed. "
      + "(default: \(standardScratch))")
  var scratch: String?

  @OptionGroup var answer: AnswerFlags<ComparisonPage>

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  @Argument(
    help: ArgumentHelp(
      "One or two folders, or two revisions or programs; with --live also flags of 'stackbench run'."))
  var words: [String] = []

  /// The settings of the trials of a live comparison.
  @OptionGroup var runFlags: RunFlags<ComparisonSettings>

  @OptionGroup var reference: ReferenceFlags

  @OptionGroup var settingsFile: SettingsFileFlags

  func runBlocking() throws -> ExitStatus {
    try checkSettings()
    guard live ? words.count == 2 : words.count <= 2 else {
      let what = live ? "two revisions or programs" : "one or two folders of results"
      let count = words.isEmpty ? "nothing" : "\(words.count)"
      throw RunFailure.usage("\(count) given to compare; use \(what)")
    }
    let given = try reference.stack()
    let target = try answer.folder()
    let (first, second) = live ? try liveResults() : try folderResults()
    for result in [first, second] {
      _ = try given?.name(among: result.trials.map(\.identity.name), in: result.title)
    }
    let reference = given?.choice.label ?? second.manifest.reference
    let failures = first.failures + second.failures
    guard failures.isEmpty else {
      target?.removeIfUnused()
      for failure in failures { StandardError.write(line: "error: \(failure)") }
      return .failed
    }
    let isExact = first.manifest.machine == MachineKind.simulated.rawValue
    let comparison = Comparison(
      first.trials, second.trials, design: live ? .paired : isExact ? .exact : .unpaired)
    let page = ComparisonPage(comparison, first: first, second: second, reference: reference)
    try answer.show(page, in: target, isQuiet: quiet) { _ in page }
    return comparison.verdict == .worse ? .worse : .success
  }

  private static var floors: String {
    PrimaryMeasure.all.map { primary in "  \(FloorText.line(of: primary))" }.joined(separator: "\n")
  }
}

// MARK: - The two kinds

extension CompareCommand {
  /// Refuses settings that a live comparison sets itself, or that do not concern its trials.
  ///
  /// - Throws: `RunFailure` with status 64 for such a setting.
  private func checkSettings() throws {
    for name in runFlags.request.givenNames {
      guard let setting = SettingTable.standard[name], !setting.uses.contains(.liveComparison) else { continue }
      throw RunFailure.usage(
        setting.section == .machine
          ? "--\(name): a live comparison is live; simulate with each version's 'stackbench run' and compare the two folders"
          : "--\(name): does not concern the trials of a comparison; use it with stackbench run")
    }
  }

  private func folderResults() throws -> (first: ComparedResult, second: ComparedResult) {
    let given = [
      runFlags.request.givenNames.first.map { "--\($0)" }, pairs.map { "--pairs \($0)" },
      trials.map { "--trials \($0)" },
      scratch.map { "--scratch \($0)" },
    ]
    if let flag = given.compactMap(\.self).first {
      throw RunFailure.usage("\(flag): concerns trials that are run; leave it out, or add --live")
    }
    return try FolderComparison(paths: words, alternative: ", or --live for revisions", words: .standard).results()
  }

  private func liveResults() throws -> (first: ComparedResult, second: ComparedResult) {
    try settingsFile.use(
      with: runFlags.request, isQuiet: quiet, accepting: { $0.uses.contains(.liveComparison) }, liveResults)
  }

  private func liveResults(_ request: RunRequest) throws -> (first: ComparedResult, second: ComparedResult) {
    // The settings are checked before any work that takes time. A revision that lacks a setting reports it when it
    // runs.
    let experiment = try request.trialExperiment()
    let (pairs, trials) = (pairs ?? CompareCommand.standardPairs, trials ?? 1)
    guard pairs * trials < InterleavedTrials.largestTrialCount else {
      throw RunFailure.usage(
        "--pairs \(pairs) --trials \(trials): \(pairs * trials) trials of each stack; use 999 at most")
    }
    let comparison = LiveComparison(
      sides: words, pairs: pairs, trialsPerSide: trials, stackCount: experiment.topologies.count,
      runFlags: request.arguments(), words: .standard, progress: ProgressLine(isQuiet: quiet))
    let folder = try OutputFolder(
      WorkingFolder.absolutePath(scratch ?? CompareCommand.standardScratch), flag: "--scratch", sharing: .all)
    defer { folder.removeIfUnused() }
    let results = try Interruption.run { try await comparison.run(in: folder) }
    let refusal = ComparedResult.refusal(
      results.first, results.second, standardFlags: StandardFlags.like(results.first.manifest))
    if let refusal { throw RunFailure.failed(refusal) }
    return results
  }
}
