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
      A published table is run on the device that it was measured on, in virtual time.

      Status: 0 success; 1 a run failed, its data did not verify, or an order that the published table shows does not \
      come out; 64 bad usage; 130 interrupted, after cleaning up.
      """)

  @OptionGroup var flags: ValidationFlags

  func runBlocking() throws -> ExitStatus {
    if let table = flags.published.flatMap(PublishedTable.init(rawValue:)) {
      return try runPublished(PublishedValidation(table, flags))
    }
    let names = PublishedTable.allCases.map(\.rawValue).joined(separator: " or ")
    throw CommandFailure.usage("--published: missing; use \(names)")
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
