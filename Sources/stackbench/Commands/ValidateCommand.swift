import ArgumentParser
import Foundation
import Glibc
import Metrics
import Reporting

/// `stackbench validate`: how far the simulated machine can be believed.
struct ValidateCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Compares the simulated machine with the live one, or with what others published.",
    discussion: """
      Runs the six stacks on four workloads, live on this computer and simulated on its profile, and prints import time, \
      the main queue's busy time and the 99th percentile of stalls: live, simulated, and how far off. The live figure is \
      the median of runs that take turns over stacks and workloads. An error is a share of the live figure, of a stall \
      below one tick a share of the tick. The workloads are inserts, upserts, relationships, and scrolling with edits.

      A published table is run on the device that it was measured on, in virtual time, and every figure is printed with \
      its error, and whether that is within the figure's band. A table is a YAML file; the shipped ones are \
      \(PublishedLibrary.shippedNames.joined(separator: ", ")).

      Status: 0 success; 1 a run failed, its data did not verify, or an order that a published table requires does not \
      come out; 64 bad usage; 130 interrupted, after cleaning up.
      """)

  @OptionGroup var flags: ValidationFlags

  func runBlocking() throws -> ExitStatus {
    if let name = flags.published {
      return try runPublished(PublishedValidation(name, flags))
    }
    let validation = try Validation(flags)
    let interruption = Interruption()
    let folder = try OutputFolder(validation.output, flag: "--output")
    let text = try interruption.run {
      do {
        return try await ValidationRun(validation, output: folder).run()
      } catch {
        folder.removeIfUnused()
        throw error
      }
    }
    if !flags.quiet { print(text, terminator: "") }
    return .success
  }

  private func runPublished(_ validation: PublishedValidation) throws -> ExitStatus {
    let interruption = Interruption()
    let report = try interruption.run { try await validation.run() }
    if !flags.quiet { print(report.text, terminator: "") }
    return report.passed ? .success : .failed
  }

  static func absolutePath(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
