import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Harness
import MachineCore
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench soak`, which imports, scrolls and edits in stacks for a long time and looks for growth.
struct SoakCommand: BlockingCommand {
  private static let standardFolder = "Results/soak"
  private static let standardMinutes = 10

  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Imports, scrolls and edits without pause on one stack, and looks for what grows.",
    discussion: """
      The stacks run on this computer's threads, one after the other, each in a process of its own for an equal share \
      of the time. Coordinators, contexts, screens and store stay open. A round imports records that insert, update \
      and delete rows, and restores the rows from before, while the user scrolls and edits.

      After each round, when everything is saved and shown, a sample is taken: the bytes on the heap, the size of the \
      write-ahead log, the open descriptors, the threads, and the objects that are registered in contexts. \
      \(SoakReport.fileName) has all samples. The first quarter of the rounds does not count.

      The slope is the median of all slopes between blocks of rounds (Theil and Sen), and the error reaches to the end \
      of its 95 % interval. A resource grows if the slope is above zero with a probability of error below 0.1 %, and \
      adds over 1 % of the level in the counted rounds, and over 1 MB of heap, 100 kB of log, 4 descriptors, threads \
      or objects. The data are checked at the end. The log grows to 1,000 pages before it is used again, so let 50 \
      rounds or more run.

      --format json prints one object: schema and subjects[] {name, rounds_count, problems[], resources[] {name, \
      level, slope_per_1000_rounds, error_per_1000_rounds, probability, is_growing}}. Members may be added.

      Status: 0 the data are right and nothing grows; 1 something grows, the data are wrong, or a soak failed; 64 bad \
      usage; 130 interrupted, after cleaning up.
      """)

  @Argument(
    help: ArgumentHelp(
      "The stacks: names, files that describe one, all (the six stacks) or all+ (with their relatives). (default: all)",
      valueName: "id|file.yaml"), completion: .stack)
  var names: [String] = []

  @Option(
    in: 1...10_000, help: "Minutes for all stacks together. (default: \(Self.standardMinutes))")
  var minutes: Int?

  @Option(
    in: SoakTrend.leastRounds...1_000_000, help: "Rounds of each stack, in place of minutes.")
  var rounds: Int?

  @Option(in: 1...100_000, help: "Records that insert, update and delete rows in a round. (default: 240)")
  var rows = 240

  @Option(in: 1...64, help: "Imports at a time. (default: 2)")
  var lanes = 2

  @Option(
    in: 1...86_400, help: "Seconds that a stack may take beyond its share of the minutes. (default: 120)",
    valueName: "seconds")
  var timeLimit = 120

  @Option(folder: "The folder for \(SoakReport.fileName); made if it is missing. (default: \(standardFolder))")
  var output: String?

  @Option(formats: SoakReport.formats) var format = OutputFormat.text

  @Flag(help: "Print nothing but the result and errors.")
  var quiet = false

  func runBlocking() throws -> ExitStatus {
    if let minutes, let rounds {
      throw RunFailure.usage("--rounds \(rounds): contradicts --minutes \(minutes); use one of the two")
    }
    guard rows >= lanes else {
      throw RunFailure.usage("--rows \(rows): fewer than one for each of \(lanes) imports; use \(lanes) or more")
    }
    let words = names.isEmpty ? [StackNames.all] : names
    let choices: [StackChoice] = try words.map { try StackNames.isGroup($0) ? .named($0) : StackNames.stack($0) }
    let topologies = choices.distinctTopologies
    let share = TimeSpan.seconds(60 * Int64(minutes ?? Self.standardMinutes)).nanoseconds / Int64(topologies.count)
    let folder = try OutputFolder(
      WorkingFolder.absolutePath(output ?? Self.standardFolder), flag: "--output", files: [SoakReport.fileName])
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path)
    defer { scratch.remove() }
    let soak = try Soak(
      rows: rows, lanes: lanes,
      limit: rounds.map(SoakLimit.rounds)
        ?? .time(TimeSpan(nanoseconds: share), leastRounds: SoakTrend.leastRounds),
      timeLimit: rounds == nil ? .nanoseconds(share) + .seconds(timeLimit) : nil, children: Children(scratch: scratch),
      progress: ProgressLine(isQuiet: quiet))
    let report = SoakReport(
      try Interruption.run { try await soak.run(topologies) },
      description:
        "Each round imports up to \(CountText.of(soak.recordCount, "record")) in \(CountText.of(lanes, "lane")) "
        + "while a user scrolls and edits. Measured live, on this computer.")
    do {
      try AtomicFile.write(Data(report.samples.text.utf8), to: "\(folder.path)/\(SoakReport.fileName)")
    } catch {
      throw RunFailure.unexpected(error, "the samples cannot be written: ", in: folder.path)
    }
    try StandardOutput.write(report, as: format)
    return report.isFlat ? .success : .failed
  }
}
