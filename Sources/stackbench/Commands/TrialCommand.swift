import ArgumentParser
import CommandShell
import Experiments
import Foundation
import OutputFiles
import TrialProcesses

/// The command `stackbench trial`, which runs one trial of a sweep's plan.
struct TrialCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "trial",
    abstract: "Runs one trial of a sweep's plan, on any host.",
    discussion: """
      The trial prepares its own workload and writes one file, such as trial-000001.json, whole or not at all. \
      'stackbench collect' joins the files. Relative paths in the plan (a feed, a profile) start at the working \
      folder of this command. A trial that has a file already runs again and replaces it, unless the file \
      belongs to another plan.

      Status: 0 success; 1 the trial failed or its data did not verify; 64 bad usage, or a plan that is damaged; 130 \
      interrupted, after cleaning up.
      """)

  @Option(
    help: ArgumentHelp("The plan that 'stackbench sweep --plan' wrote.", valueName: "file"), transform: OptionValue.path
  )
  var plan: String

  @Option(in: 1...SweepPlan.largestCount, help: "The number of the trial, which is that of its line, counted from 1.")
  var index: Int

  @Option(folder: "The folder of the trial's file; made if it is missing. (default: the plan's)")
  var output: String?

  @Option(
    folder: "The folder of the store during the trial. Files made there are removed. (default: the output folder)")
  var scratch: String?

  func runBlocking() throws -> ExitStatus {
    let trial = try SweepPlan.trial(index, of: plan)
    let path = output ?? URL(fileURLWithPath: plan).deletingLastPathComponent().path
    let output = try OutputFolder(WorkingFolder.absolutePath(path), flag: "--output", sharing: .single)
    let folder = SweepFolder(path: output.path)
    // This call throws if the file holds the result of another plan, which is not replaced.
    _ = try folder.result(of: trial)
    let scratch = scratch.map(WorkingFolder.absolutePath)
    let result = try Interruption.run {
      do {
        return try await trial.run(in: output, scratch: scratch)
      } catch {
        output.removeIfUnused()
        throw error
      }
    }
    try folder.write(result)
    guard let complaint = result.complaint else { return .success }
    throw RunFailure.failed(complaint)
  }
}
