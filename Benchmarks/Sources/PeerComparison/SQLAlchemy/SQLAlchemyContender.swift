import Foundation
import Subprocess
import SystemPackage

/// SQLAlchemy in a Python process for each run, which times itself.
package struct SQLAlchemyContender: Contender {
  package let subject: Subject
  /// The interpreter, with SQLAlchemy installed.
  private let python: String

  /// The output of the child.
  private struct Report: Decodable {
    var nanoseconds: Int
    /// The number of rows, or of saves.
    var units: Int
    var checksum: Int?
  }

  /// Creates a contender.
  ///
  /// - Parameters:
  ///   - subject: One of the two subjects that run in Python.
  ///   - python: The path of the Python interpreter.
  package init(_ subject: Subject, python: String) {
    self.subject = subject
    self.python = python
  }

  package func perform(_ assignment: Assignment) async throws -> Sample {
    let script = String(decoding: PackageResources.sqlalchemy_peer_py, as: UTF8.self)
    let arguments = [
      "-c", script, assignment.benchmark.rawValue, subject == .sqlalchemyORM ? "orm" : "core", assignment.path,
      assignment.items.path, assignment.clock.rawValue,
    ]
    let result = try await Subprocess.run(
      .path(FilePath(python)), arguments: Arguments(arguments), output: .string(limit: 10_000),
      error: .string(limit: 100_000))
    guard result.terminationStatus.isSuccess,
      let report = try? JSONDecoder().decode(Report.self, from: Data(result.standardOutput.utf8))
    else {
      let complaint = result.standardError.split(separator: "\n").last.map(String.init) ?? "it printed no report"
      throw PeerError(.failed, "\(subject.rawValue) failed in \(assignment.benchmark.rawValue): \(complaint)")
    }
    return Sample(nanoseconds: report.nanoseconds, unitCount: report.units, checksum: report.checksum)
  }
}
