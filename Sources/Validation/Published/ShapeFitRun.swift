import Experiments
import Foundation
import Harness
import InputFiles
import MachineSimulated
import Metrics
import Reporting
import TrialProcesses

/// Fits the shape and the devices to all tables, as `stackbench validate --published all --fit` does.
///
/// The fit takes several rounds. Each one simulates every row and fits the constants to the counts. The next round uses
/// the fitted devices, on which the counts and the overlap of threads may differ a little. The devices of the first
/// round have the speeds of benchmarks and a shape whose factors are all 1, so that the result does not depend on
/// earlier fits.
struct ShapeFitRun: Sendable {
  private let tables: [PublishedTable]
  private let run: PublishedRun
  private let shape: CostShape
  private let reference: CostReference

  private static let roundCount = 3

  /// Creates the fit, and reads the shipped shape and reference.
  ///
  /// - Throws: `RunFailure` if the shipped shape or reference cannot be read.
  init(_ tables: [PublishedTable], run: PublishedRun) throws(RunFailure) {
    self.tables = tables
    self.run = run
    (shape, reference) = try UserInput.read { () throws(ProfileError) in
      (try ProfileLibrary.shape(), try ProfileLibrary.reference())
    }
  }

  struct Outcome: Sendable {
    var text: String
    /// The names and texts of the files with the fitted constants, for the shape and each profile.
    var files: [(name: String, text: String)]
    /// The fitted devices, by name.
    var devices: [String: Profile]
  }

  /// Runs all rounds and returns the result of the last one.
  ///
  /// - Throws: `RunFailure` if a row fails; `CancellationError` if the run is interrupted.
  func outcome(progress: any ProgressDisplay) async throws -> Outcome {
    let devices = FittedDevices(shape: shape)
    let names = tables.flatMap { table in table.rows.indices.map(table.profile(ofRow:)) }
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
    return Outcome(
      text: ShapeFitText(fit, published: tables).text, files: try devices.files(of: fit), devices: profiles)
  }

  private func measurements(
    on devices: [String: Profile], progress: any ProgressDisplay
  ) async throws -> [[PublishedMeasurement]] {
    let jobs = tables.flatMap { table in
      table.rows.indices.compactMap { row in
        devices[table.profile(ofRow: row)].map { PublishedRun.Job(table: table, row: row, profile: $0) }
      }
    }
    return try await run.measurements(of: jobs, progress: progress)
  }

  private func figures(_ measured: [[PublishedMeasurement]], on devices: [String: Profile]) -> [ShapeFit.Figure] {
    var rest = measured[...]
    var figures: [ShapeFit.Figure] = []
    for table in tables {
      for (place, row) in table.rows.enumerated() {
        guard let measurements = rest.popFirst(), let device = devices[table.profile(ofRow: place)] else { continue }
        for (figure, measurement) in zip(row.figures, measurements) where figure.clock != .memory {
          let series = figure.series.sorted()
          let published = series[(series.count - 1) / 2] - (figure.overhead?.amount ?? 0)
          // The overhead of the measured app can be as long as the published time, which leaves no time to fit to.
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
