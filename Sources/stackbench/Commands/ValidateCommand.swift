import ArgumentParser
import Experiments
import Foundation
import Glibc
import Metrics
import Reporting
import TrialProcesses
import Validation

/// The command `stackbench validate`, which shows how far the simulated machine deviates from the live one or from
/// published figures.
struct ValidateCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Compares the simulated machine with the live one, or with what others published.",
    discussion: """
      Runs the six stacks on four workloads, live on this computer and simulated on its profile, and prints import time, \
      the main queue's busy time, the CPU and the waiting in it, and the 99th percentile of stalls: live, simulated, and \
      how far off. The live figure is the median of runs that take turns over stacks and workloads. An error is a share \
      of the live figure, of waiting a share of the busy time, of a stall below one tick a share of the tick. The \
      workloads are inserts, upserts, relationships, and scrolling with edits.

      The yardstick, a piece of work that never changes, tells how fast the computer is around each live run. Import, \
      busy and CPU times are brought to the median yardstick, and CPU prices of a profile that names its own yardstick \
      are multiplied by the ratio of the two. How far two halves of the live runs lie apart is the floor under every \
      error. Ranks are also compared over only those pairs of stacks that live runs tell apart, by 5 % and by more than \
      either spread.

      A published table is run on the device that it was measured on, in virtual time, and every figure is printed with \
      its error, and whether that is within the figure's band. A table is a YAML file; the shipped ones are \
      \(PublishedLibrary.shippedNames.joined(separator: ", ")). With all of them, profiles are also held against \
      constraints: figures of other libraries, and benchmarks of processors. One that does not hold is no failure.

      Status: 0 success; 1 a run failed, its data did not verify, or an order that a published table requires does not \
      come out; 64 bad usage; 130 interrupted, after cleaning up.
      """)

  @OptionGroup var flags: ValidationFlags

  func runBlocking() throws -> ExitStatus {
    let request = try flags.request()
    if let name = flags.published {
      return try runPublished(PublishedValidation(name, request))
    }
    let validation = try ValidationPlan(request)
    let interruption = Interruption()
    let folder = try OutputFolder(
      validation.output ?? ValidationFlags.standardFolder, flag: "--output", files: ValidationRun.fileNames)
    let text = try interruption.run {
      do {
        return try await ValidationRun(validation, output: folder, progress: progress).run()
      } catch {
        folder.removeIfUnused()
        throw error
      }
    }
    if !flags.quiet { StandardOutput.write(text) }
    return .success
  }

  private func runPublished(_ validation: PublishedValidation) throws -> ExitStatus {
    let interruption = Interruption()
    let report = try interruption.run { try await validation.run(progress) }
    if !flags.quiet { StandardOutput.write(report.text) }
    return report.passed ? .success : .failed
  }

  private var progress: any ProgressDisplay { ProgressLine(isQuiet: flags.quiet) }
}
