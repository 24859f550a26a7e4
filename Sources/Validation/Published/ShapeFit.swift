import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics

/// Fits the shape of Core Data's costs, and the speeds of devices, to published figures.
///
/// A figure is a sum over work: the count, times the reference's cost, times the factor of the work's group, times the
/// speed of the device. A wall time also includes the waiting for storage, with the costs in the device's profile. The
/// counts come from a simulated run, so that a fit simulates each row once and not at every step. Factors of groups
/// that are Core Data's own code are drawn towards one common factor, all others towards 1, and speeds towards the
/// results of benchmarks. The result does not depend on earlier fits.
///
/// The speed of a table's device includes all that the table's app and clock add to every figure, so that the factors
/// follow from the ratios between the figures of a table. Decoding is the app's own code and has a factor of its own in
/// each table.
///
/// The strength of the prior is chosen by leaving out tables and predicting their fitted figures. The chosen prior is
/// the strongest one whose mean error is at most one standard error above the least (Hastie, Tibshirani and Friedman,
/// *The Elements of Statistical Learning*, 7.10).
struct ShapeFit {
  /// A published figure with the counts of a simulated run of its row.
  struct Figure {
    var table: String
    var row: String
    var name: String
    var clock: PublishedClock
    var role: PublishedRole
    /// The published time in nanoseconds, without the overhead of the measured app.
    var published: Double
    var device: Profile
    var measurement: PublishedMeasurement
  }

  /// The names of the groups that are not Core Data's code. They cost the same on a device as here, apart from the
  /// device's speed.
  static let groupsOfOthers = ["rowsPassedOver", "batches", "decoding", "systemCalls", "waking"]
  /// The factors towards which groups without figures are drawn because of a ratio that was published without the number
  /// of its rows, and the ratio.
  static let assumptions = [
    "batches": (factor: 2.4, reason: "an update of objects took 8.9 times as long as a batch update on an iPhone 5s")
  ]
  /// The groups whose factors are drawn towards that of another group, because no figure of the shipped tables contains
  /// their work: controllers test and compare objects in memory, as fetches over unsaved objects do.
  static let relatives = ["controllers": "testing"]

  let shape: CostShape
  /// The names of the devices that have figures, in the order of their first figures.
  let devices: [String]
  let figures: [Figure]
  /// The chosen standard deviation of the prior, for the logarithm of a group's factor relative to the common factor.
  let priorDeviation: Double
  /// The score of each strength of the prior.
  let scores: [(deviation: Double, score: Score)]
  /// The logarithm of predicted over published for each figure, when the figure's table is left out of the fit.
  let leftOutErrors: [Double]
  /// The factor by which deviations within tables that are left out exceed those that the fit expects; at least 1.
  let excessWithinTables: Double
  private let fit: LogNormalFit
  private let model: Model
  /// The figures as observations, in the same order.
  private let observations: [LogNormalFit.Observation]

  /// The strengths of the prior to choose from, the strongest first.
  private static let priorDeviations = [0.15, 0.3, 0.5, 0.8, 1.2, 2]
  /// The standard deviations of CPU and wall times around a correct prediction, as logarithms.
  private static let cpuDeviation = 0.08
  private static let wallDeviation = 0.12
  /// The prior's standard deviations of the logarithms of other constants.
  private static let commonDeviation = 3.0
  private static let othersDeviation = 0.3
  private static let leastSpeedDeviation = 0.05
  /// The deviation that the app, the build and the clock of a table add to the speed of its device.
  private static let tableDeviation = 0.15
  /// The deviation of a table's own factor of decoding: apps parsed dates fifty times as slowly as this program does.
  private static let decodingDeviation = 2.0
  /// A table is evidence for the factor of a group if the group makes up at least this share of one of its figures.
  private static let leastShare = 0.1

  /// Fits the shape and the speeds to figures.
  ///
  /// - Parameters:
  ///   - figures: The figures. The fit uses only those whose role is `fitted`, and predicts all of them.
  ///   - shape: The shape whose groups receive factors.
  ///   - reference: The costs that the factors multiply.
  ///   - benchmarks: The relative speeds that benchmarks give, by the name of the device. A device without one keeps
  ///     its speed and so determines the unit of the common factor.
  init(_ figures: [Figure], shape: CostShape, reference: CostReference, benchmarks: [String: ProfileConstant]) {
    self.figures = figures
    self.shape = shape
    var devices: [String] = []
    for figure in figures where !devices.contains(figure.device.name) { devices.append(figure.device.name) }
    self.devices = devices
    let tables = figures.reduce(into: [String]()) { if !$0.contains($1.table) { $0.append($1.table) } }
    let model = Model(shape: shape, reference: reference, devices: devices, tables: tables, benchmarks: benchmarks)
    self.model = model
    let observations = figures.map(model.observation)
    self.observations = observations
    let fitted = zip(figures, observations).filter { $0.0.role == .fitted }.map(\.1)
    let trials = Self.priorDeviations.map { deviation in
      Trial(
        deviation: deviation, fit: LogNormalFit(parameters: model.parameters(deviation), observations: fitted),
        of: observations)
    }
    guard let best = trials.map(\.score).min(by: { $0.mean < $1.mean }),
      let chosen = trials.first(where: { $0.score.mean <= best.mean + best.standardError })
    else { trapMisuse("a shape cannot be fitted without a prior") }
    (priorDeviation, fit, leftOutErrors) = (chosen.deviation, chosen.fit, chosen.errors)
    excessWithinTables = chosen.excessWithinTables
    scores = trials.map { ($0.deviation, $0.score) }
  }

  /// A fit with one strength of the prior, and the errors of figures whose tables are left out of it.
  private struct Trial {
    let deviation: Double
    let fit: LogNormalFit
    /// The logarithms of predicted over published, in the order of the observations.
    let errors: [Double]
    /// The score of the fitted figures. Each table counts once, whatever the number of its figures.
    let score: Score
    let excessWithinTables: Double

    init(deviation: Double, fit: LogNormalFit, of observations: [LogNormalFit.Observation]) {
      var partial: [String: LogNormalFit] = [:]
      for table in fit.groups { partial[table] = fit.leavingOut(table) }
      let errors = observations.map { (partial[$0.group] ?? fit).error(of: $0) }
      var means: [Double] = []
      var (found, expected) = (0.0, 0.0)
      for table in fit.groups {
        let own = fit.observations.filter { $0.group == table }
        let errors = own.map { partial[table]?.error(of: $0) ?? 0 }
        let mean = errors.reduce(0, +) / Double(errors.count)
        means.append(errors.reduce(0) { $0 + abs($1) } / Double(errors.count))
        found += errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        expected += partial[table]?.varianceWithin(own) ?? 0
      }
      (self.deviation, self.fit, self.errors, score) = (deviation, fit, errors, Score(means))
      excessWithinTables = expected > 0 ? max(1, (found / expected).squareRoot()) : 1
    }
  }

  /// The error of figures whose tables are left out of the fit.
  struct Score: Hashable, Sendable {
    /// The mean of the absolute logarithms of predicted over published.
    let mean: Double
    let standardError: Double

    init(_ errors: [Double]) {
      let count = Double(max(1, errors.count))
      let mean = errors.reduce(0, +) / count
      let squares = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      self.mean = mean
      standardError = errors.count < 2 ? 0 : (squares / (count - 1) / count).squareRoot()
    }
  }
}

// MARK: - The model

extension ShapeFit {
  /// The figures as observations. The parameters are the common factor, the factors of the groups, the speeds of the
  /// devices, and each table's own factor of decoding.
  private struct Model {
    let shape: CostShape
    let reference: CostReference
    let devices: [String]
    let tables: [String]
    let benchmarks: [String: ProfileConstant]

    private func group(_ place: Int) -> Int { 1 + place }
    func speed(of device: Int) -> Int { 1 + shape.groups.count + device }
    private func decoding(in table: Int) -> Int { speed(of: devices.count) + table }

    /// Returns the parameters whose product is the factor of the group at a place.
    func factors(ofGroup place: Int) -> [Int] {
      let name = shape.groups[place].name
      if ShapeFit.groupsOfOthers.contains(name) { return [group(place)] }
      let relative = ShapeFit.relatives[name].flatMap { name in shape.groups.firstIndex { $0.name == name } }
      return [0] + (relative.map { [group($0)] } ?? []) + [group(place)]
    }

    func observation(of figure: Figure) -> LogNormalFit.Observation {
      let device = devices.firstIndex(of: figure.device.name) ?? 0
      let work = figure.clock == .mainCPU ? figure.measurement.mainWork : figure.measurement.work
      func count(_ part: CostPart) -> Double {
        Double(part.component.isPerByte ? work.bytes(part.kind) : work[part.kind])
      }
      let relative = benchmarks[figure.device.name] == nil ? 0 : 1
      let base = figure.device.speedFactors.dropLast(relative).reduce(1) { $0 * $1.value }
      var terms = shape.groups.enumerated().map { place, group in
        let instructions = group.parts.reduce(0) { $0 + count($1) * (reference.costs[$1]?.value ?? 0) }
        let own = group.name == "decoding" ? tables.firstIndex(of: figure.table).map(decoding).map { [$0] } ?? [] : []
        return LogNormalFit.Term(instructions * base, parameters: factors(ofGroup: place) + [speed(of: device)] + own)
      }
      var waiting = 0.0
      if figure.clock == .wall {
        waiting = CostPart.all.filter { !$0.component.isCPU }
          .reduce(0) { $0 + count($1) * (figure.device.cost($1.kind, $1.component)?.value ?? 0) }
        // Threads run at the same time, so the wall time is shorter than the times of all threads together.
        let together = Double(figure.measurement.cpu.nanoseconds) + waiting
        let overlap = together > 0 ? Double(figure.measurement.wall.nanoseconds) / together : 1
        for place in terms.indices { terms[place].coefficient *= overlap }
        waiting *= overlap
      }
      return LogNormalFit.Observation(
        group: figure.table, terms: terms.filter { $0.coefficient > 0 }, constant: waiting, measured: figure.published,
        deviation: figure.clock == .wall ? ShapeFit.wallDeviation : ShapeFit.cpuDeviation)
    }

    func parameters(_ priorDeviation: Double) -> [LogNormalFit.Parameter] {
      let groups = shape.groups.map { group in
        LogNormalFit.Parameter(
          mean: ShapeFit.assumptions[group.name].map { log($0.factor) } ?? 0,
          deviation: ShapeFit.groupsOfOthers.contains(group.name) ? ShapeFit.othersDeviation : priorDeviation)
      }
      let speeds = devices.map { name -> LogNormalFit.Parameter in
        // The device without a benchmark keeps its speed, and so determines the unit of the common factor.
        guard let speed = benchmarks[name] else { return LogNormalFit.Parameter(mean: 0, deviation: 1e-3) }
        let deviation = max(ShapeFit.leastSpeedDeviation, log(speed.high / speed.low) / (2 * 1.645))
        return LogNormalFit.Parameter(
          mean: log(speed.value),
          deviation: (deviation * deviation + ShapeFit.tableDeviation * ShapeFit.tableDeviation).squareRoot())
      }
      let decoding = tables.map { _ in LogNormalFit.Parameter(mean: 0, deviation: ShapeFit.decodingDeviation) }
      return [LogNormalFit.Parameter(mean: 0, deviation: ShapeFit.commonDeviation)] + groups + speeds + decoding
    }
  }
}

// MARK: - Results

extension ShapeFit {
  /// The factor towards which all of Core Data's own groups are drawn.
  var commonFactor: Double { exp(fit.values[0]) }

  /// Returns the nanoseconds of a figure with the fitted constants.
  func time(ofFigure place: Int) -> Double { fit.prediction(of: observations[place]) }

  /// Returns the nanoseconds of a figure with the constants of a fit without the figure's table.
  func timeWithoutTable(ofFigure place: Int) -> Double { figures[place].published * exp(leftOutErrors[place]) }

  /// Returns the shape with the fitted factors and the axes along which they are uncertain together.
  ///
  /// The range of a factor contains nine values in ten. It follows from the uncertainty after the fit, and is as much
  /// wider as the ratios between the figures of a left-out table were further off than the fit expects.
  func fittedShape() -> CostShape {
    let count = shape.groups.count
    let factors = shape.groups.indices.map(model.factors)
    var covariances: [Double] = []
    for one in factors {
      for other in factors {
        let sum = one.reduce(0) { sum, parameter in other.reduce(sum) { $0 + fit.covariance(parameter, $1) } }
        covariances.append(sum * excessWithinTables * excessWithinTables)
      }
    }
    guard let root = CholeskyFactor(covariances, size: count) else {
      trapMisuse("the factors of a shape have no joint distribution")
    }
    let constants = factors.enumerated().map { place, parameters in
      let tables = tables(ofGroup: place)
      return ProfileFit.constant(
        exp(parameters.reduce(0) { $0 + fit.values[$1] }),
        deviation: covariances[place * count + place].squareRoot(),
        source: tables.isEmpty
          ? "assumption: no published row shows it; \(relative(ofGroup: shape.groups[place].name))"
          : "fitted to \(tables.joined(separator: ", "))")
    }
    return shape.with(
      factors: constants, axes: shape.groups.indices.map { place in root.row(place).map { exp(1.645 * $0) } })
  }

  private func relative(ofGroup name: String) -> String {
    if let assumption = Self.assumptions[name] { return assumption.reason }
    if Self.groupsOfOthers.contains(name) { return "as here" }
    return Self.relatives[name].map { "as \($0)" } ?? "as the rest of Core Data"
  }

  /// Returns the fitted speed of a device, relative to the device that its profile names, or nil if the device has no
  /// figures.
  func speed(of name: String) -> Double? {
    devices.firstIndex(of: name).map { exp(fit.values[model.speed(of: $0)]) }
  }

  /// Returns the names of the tables of a device, in the order of their first figures.
  func tables(of name: String) -> [String] {
    figures.reduce(into: []) { tables, figure in
      if figure.device.name == name, !tables.contains(figure.table) { tables.append(figure.table) }
    }
  }

  /// The root mean square of the mean errors of tables that are left out of the fit. It is an estimate of the error on
  /// a device that has no table.
  var scatterBetweenTables: Double {
    let means = tableErrors.map(\.mean)
    return means.isEmpty ? 0 : (means.reduce(0) { $0 + $1 * $1 } / Double(means.count)).squareRoot()
  }

  /// The mean logarithm of predicted over published for each table, when the table is left out of the fit.
  var tableErrors: [(table: String, mean: Double)] {
    var tables: [String] = []
    for figure in figures where !tables.contains(figure.table) { tables.append(figure.table) }
    return tables.map { table in
      let errors = zip(figures, leftOutErrors).filter { $0.0.table == table }.map(\.1)
      return (table, errors.reduce(0, +) / Double(errors.count))
    }
  }

  /// The root mean square of the deviations of figures from the mean error of their table, when the table is left out
  /// of the fit. It is an estimate of the error of a ratio between two times on one device.
  var scatterWithinTables: Double {
    let means = Dictionary(tableErrors.map { ($0.table, $0.mean) }, uniquingKeysWith: { first, _ in first })
    let squares = zip(figures, leftOutErrors).map { figure, error in
      let distance = error - (means[figure.table] ?? 0)
      return distance * distance
    }
    return squares.isEmpty ? 0 : (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  /// Returns the names of the tables that have a fitted figure of which a group makes up at least `leastShare`.
  private func tables(ofGroup place: Int) -> [String] {
    var tables: [String] = []
    for (figure, observation) in zip(figures, observations) where figure.role == .fitted {
      let own = observation.terms.filter { $0.parameters.contains(1 + place) }.reduce(0) { $0 + fit.amount(of: $1) }
      guard own >= Self.leastShare * fit.prediction(of: observation), !tables.contains(figure.table) else { continue }
      tables.append(figure.table)
    }
    return tables
  }
}

extension LogNormalFit {
  /// Returns the expected sum of the squared deviations of the logarithms of measured totals from their mean, when the
  /// totals are not part of the fit.
  fileprivate func varianceWithin(_ totals: [Observation]) -> Double {
    let errors = totals.reduce(0) { $0 + $1.deviation * $1.deviation }
    let single = totals.reduce(0) { $0 + variance(ofSumOf: [$1]) }
    return single + errors - (variance(ofSumOf: totals) + errors) / Double(totals.count)
  }
}
