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
    abstract: "Compares the simulated machine with the live one, or with published measurements.",
    discussion: """
      The command runs the six stacks on four workloads, live on this computer and simulated on its profile. It \
      prints import time, the main queue's busy time, the CPU time and the waiting in it, and the 99th \
      percentile of stalls, each live and simulated with the error. The live figure is the median of runs that \
      take turns over stacks and workloads. An error is a share of the live figure, for waiting a share of the \
      busy time, and for a stall below one tick a share of the tick. The workloads are inserts, upserts, \
      relationships, and scrolling with edits.

      The yardstick, a fixed piece of work, measures the computer's speed around each live run. Import, busy and \
      CPU times are converted to the median yardstick. CPU costs of a profile with a yardstick are multiplied by \
      the ratio of the two. The difference between two halves of the live runs is the floor under every error. \
      Ranks are also compared over only those pairs of stacks that live runs separate, by 5 % and by more than \
      either spread.

      A published table is run in virtual time on the device on which it was measured. Every figure is printed \
      with its error, and with whether it is within the figure's band. A table is a YAML file; the shipped ones \
      are \(PublishedLibrary.shippedNames.joined(separator: ", ")). With all of them, profiles are also compared \
      with constraints: figures of other libraries, and benchmarks of processors. A constraint that does not \
      hold is not a failure.

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
    let folder = try OutputFolder(
      validation.output ?? ValidationFlags.standardFolder, flag: "--output", files: ValidationRun.fileNames)
    let text = try Interruption.run {
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
    let result = try Interruption.run { try await validation.run(progress) }
    if !flags.quiet { StandardOutput.write(result.text) }
    return result.passed ? .success : .failed
  }

  private var progress: any ProgressDisplay { ProgressLine(isQuiet: flags.quiet) }
}
