import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Glibc
import Metrics
import OutputFiles
import TrialProcesses
import Validation

/// The command `validate`, which shows how far the simulated machine deviates from the live one or from
/// published figures.
struct ValidateCommand: BlockingCommand {
  static let configuration = ValidationFlags.command

  @OptionGroup var flags: ValidationFlags

  func runBlocking() throws -> ExitStatus {
    let request = try flags.request()
    if let name = flags.published {
      return try runPublished(PublishedValidation(name, request: request))
    }
    let validation = try ValidationPlan(request)
    let folder = try OutputFolder(
      validation.request.output ?? ValidationFlags.standardFolder, flag: "--output", files: ValidationRun.fileNames)
    let run = ValidationRun(validation, output: folder, progress: progress)
    let text: String
    do {
      text = try Interruption.run { try await run.run() }
    } catch {
      folder.removeIfUnused()
      guard let failure = error as? RunFailure, let kept = run.keptRounds else { throw error }
      let reason = failure.status == .interrupted ? "interrupted" : failure.message
      throw RunFailure(
        kind: failure.kind, "\(reason); \(kept) rounds of live runs are kept in \(folder.path)")
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
