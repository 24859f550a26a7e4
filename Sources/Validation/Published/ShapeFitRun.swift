import Experiments
import Foundation
import Harness
import MachineSimulated
import Metrics
import Profiles
import Reporting
import TrialProcesses

/// `stackbench validate --published all --fit`: fits the shape and the devices to all tables, and confirms the fit.
///
/// Each row is simulated once and its counts are fitted to; then the rows are simulated on the fitted devices, whose
/// counts and overlapping threads may differ a little, and fitted to again. The first devices have the speeds of
/// benchmarks and a shape of ones, so that no number that was fitted before enters.
struct ShapeFitRun: Sendable {
  private let tables: [PublishedTable]
  private let run: PublishedRun
  private let shape: CostShape
  private let reference: CostReference

  private static let roundCount = 3

  /// - Throws: `RunFailure` where the shipped shape or reference cannot be read.
  init(_ tables: [PublishedTable], run: PublishedRun) throws(RunFailure) {
    self.tables = tables
    self.run = run
    (shape, reference) = try UserInput.read { () throws(ProfileError) in
      (try ProfileLibrary.shape(), try ProfileLibrary.reference())
    }
  }

  struct Outcome: Sendable {
    var text: String
    /// The name and text of each profile, and of the shape, with the fitted constants.
    var files: [(name: String, text: String)]
    /// The fitted devices, by name.
    var devices: [String: Profile]
  }

  /// - Throws: `RunFailure` of a row that failed; `CancellationError`.
  func outcome(progress: any ProgressDisplay) async throws -> Outcome {
    let devices = FittedDevices(shape: shape)
    let names = tables.map(\.profile)
    var profiles = try devices.unfitted(names)
    var fit: ShapeFit?
    for _ in 0..<Self.roundCount {
      let measured = try await measurements(on: profiles, progress: progress)
      let next = ShapeFit(
        figures(measured, on: profiles), shape: shape, reference: reference, benchmarks: try devices.benchmarks())
      profiles = try devices.fitted(names, by: next)
      fit = next
    }
    guard let fit else { throw RunFailure.failed("there is no table to fit to") }
    return Outcome(text: ShapeFitText(fit).text, files: try devices.files(of: fit), devices: profiles)
  }

  private func measurements(
    on devices: [String: Profile], progress: any ProgressDisplay
  ) async throws -> [[PublishedMeasurement]] {
    let jobs = tables.flatMap { table in
      table.rows.indices.compactMap { row in
        devices[table.profile].map { PublishedRun.Job(table: table, row: row, profile: $0) }
      }
    }
    return try await run.measurements(of: jobs, progress: progress)
  }

  private func figures(_ measured: [[PublishedMeasurement]], on devices: [String: Profile]) -> [ShapeFit.Figure] {
    var rest = measured[...]
    var figures: [ShapeFit.Figure] = []
    for table in tables {
      for row in table.rows {
        guard let measurements = rest.popFirst(), let device = devices[table.profile] else { continue }
        for (figure, measurement) in zip(row.figures, measurements) {
          let series = figure.milliseconds.sorted()
          let published = series[(series.count - 1) / 2] - (figure.overhead?.milliseconds ?? 0)
          // What the app added by itself may be all that was published of a figure.
          guard published > 0 else { continue }
          figures.append(
            ShapeFit.Figure(
              table: table.name, row: row.title, name: figure.name, clock: figure.clock, role: figure.role,
              published: published * 1e6, device: device, measurement: measurement))
        }
      }
    }
    return figures
  }
}
