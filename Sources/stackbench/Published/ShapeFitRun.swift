import Foundation
import Harness
import MachineSimulated
import Metrics
import Reporting

/// `stackbench validate --published all --fit`: fits the shape and the devices to all tables, and confirms the fit.
///
/// Each row is simulated once and its counts are fitted to; then the rows are simulated on the fitted devices, whose
/// counts and overlapping threads may differ a little, and fitted to again.
struct ShapeFitRun: Sendable {
  private let tables: [PublishedTable]
  private let run: PublishedRun
  private let shape: CostShape
  private let reference: CostReference

  private static let roundCount = 3

  /// - Throws: `CommandFailure` where the shipped shape or reference cannot be read.
  init(_ tables: [PublishedTable], run: PublishedRun) throws(CommandFailure) {
    self.tables = tables
    self.run = run
    do throws(ProfileError) {
      shape = try ProfileLibrary.shape()
      reference = try ProfileLibrary.reference()
    } catch {
      throw .usage(error.description)
    }
  }

  struct Outcome: Sendable {
    var text: String
    /// The name and text of each profile, and of the shape, with the fitted constants.
    var files: [(name: String, text: String)]
    /// The fitted devices, by name.
    var devices: [String: Profile]
  }

  /// - Throws: `CommandFailure` of a row that failed; `CancellationError`.
  func outcome(progress: ProgressLine) async throws -> Outcome {
    var devices: [String: Profile] = [:]
    for table in tables { devices[table.profile] = try ProfileLibrary.profile(named: table.profile) }
    let shipped = devices
    var fit: ShapeFit?
    for _ in 0..<Self.roundCount {
      let measured = try await measurements(on: devices, progress: progress)
      // Priors are always the shipped constants; only the counts come from the devices as fitted so far.
      let figures = figures(measured, on: shipped)
      let next = ShapeFit(figures, shape: shape, reference: reference)
      for (name, profile) in shipped { devices[name] = next.fitted(profile) }
      fit = next
    }
    guard let fit else { throw CommandFailure.failed("there is no table to fit to") }
    return Outcome(text: ShapeFitText(fit).text, files: try files(of: fit, shipped), devices: devices)
  }

  private func measurements(
    on devices: [String: Profile], progress: ProgressLine
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

  /// The YAML of the fitted shape, and of each device that has a table of its own.
  private func files(of fit: ShapeFit, _ devices: [String: Profile]) throws -> [(name: String, text: String)] {
    var files = [(name: "core-data.yaml", text: ShapeWriter(fit.fittedShape()).text)]
    for name in fit.devices {
      guard var declaration = try ProfileLibrary.shippedDeclaration(name), let profile = devices[name] else { continue }
      fit.write(into: &declaration, of: fit.fitted(profile))
      files.append((name: "\(name).yaml", text: ProfileWriter(declaration).text))
    }
    return files
  }
}

extension ShapeFit {
  /// Replaces the speed and the storage of a device's declaration by the fitted ones.
  func write(into declaration: inout ProfileDeclaration, of profile: Profile) {
    let spread = exp(1.645 * scatterBetweenTables)
    let tables = tablesOfDevice(declaration.name).joined(separator: ", ")
    if case .relative(let other, let factor)? = declaration.speed, let fitted = profile.speedFactors.last {
      let prior = factor.source.components(separatedBy: "; fitted to ")[0]
      declaration.speed = .relative(
        to: other,
        ProfileConstant(
          value: fitted.value, low: fitted.value / spread, high: fitted.value * spread,
          source: "\(prior); fitted to \(tables)"))
    }
    for part in CostPart.all where [.storage, .storagePerByte].contains(part.component) {
      guard var constant = declaration.costs[part], let fitted = profile.prices[part]?.constant, constant.value > 0
      else { continue }
      let factor = fitted.value / constant.value
      constant = constant.scaled(by: factor)
      let prior = constant.source.components(separatedBy: "; times ")[0]
      if abs(factor - 1) > 0.005 {
        constant.source = "\(prior); times \(FigureText.short(factor)), fitted to \(tables)"
      }
      declaration.costs[part] = constant
    }
  }

  private func tablesOfDevice(_ name: String) -> [String] {
    var tables: [String] = []
    for figure in figures where figure.device.name == name && !tables.contains(figure.table) {
      tables.append(figure.table)
    }
    return tables
  }
}
