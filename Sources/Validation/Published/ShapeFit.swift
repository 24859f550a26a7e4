import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics

/// Fits the shape of Core Data's costs, and the speeds of devices, to published figures.
///
/// A figure is a sum over work: the count, times the reference's cost, times the factor of the work's group, times the
/// speed of the device; a wall time also waits for storage, as the device's profile says. The counts come from a simulated run, so a fit simulates
/// each row once and not at every step. Factors of groups that are Core Data's own code are drawn towards one common
/// factor, all others towards 1, and speeds towards what benchmarks say. Nothing that was fitted before enters.
///
/// How strongly factors are drawn is chosen by leaving tables out, among fitted figures alone: the strongest prior whose
/// mean error is at most one standard error above the least (Hastie, Tibshirani and Friedman, *The Elements of
/// Statistical Learning*, 7.10).
struct ShapeFit {
  /// A published figure with what a simulated run of its row counted.
  struct Figure {
    var table: String
    var row: String
    var name: String
    var clock: PublishedClock
    var role: PublishedRole
    /// Nanoseconds, without the part that the measured app added by itself.
    var published: Double
    var device: Profile
    var measurement: PublishedMeasurement
  }

  /// The groups that are not Core Data's code and cost on a device what they cost here, but for its speed.
  static let groupsOfOthers = ["rowsPassedOver", "decoding", "systemCalls", "waking"]

  let shape: CostShape
  /// The names of the devices that have figures, in the order in which they first come.
  let devices: [String]
  let figures: [Figure]
  /// The chosen standard deviation of the logarithm of a group's factor around the common one.
  let priorDeviation: Double
  /// The score of each strength.
  let scores: [(deviation: Double, score: Score)]
  /// For each figure the logarithm of predicted over published when its table is left out.
  let leftOutErrors: [Double]
  private let fit: LogNormalFit
  /// The figures as observations, in their order.
  private let observations: [LogNormalFit.Observation]

  /// The strengths to choose from, the strongest first.
  private static let priorDeviations = [0.15, 0.3, 0.5, 0.8, 1.2, 2]
  /// The standard deviation of a right prediction around a figure. CPU and wall rows count by their own.
  private static let cpuDeviation = 0.08
  private static let wallDeviation = 0.12
  /// The standard deviations of the logarithms that the prior gives to other constants.
  private static let commonDeviation = 3.0
  private static let othersDeviation = 0.3
  private static let leastSpeedDeviation = 0.05
  /// A group is determined by a table if it makes up this share of one of its figures.
  private static let leastShare = 0.1
  /// A factor is determined if the figures narrow its prior down to this part.
  private static let determinedPart = 0.7

  /// - Parameters:
  ///   - figures: fitted ones and predicted ones; only the fitted ones are fitted to.
  ///   - benchmarks: what benchmarks say of each device's relative speed, by the device's name. A device without one keeps
  ///     its speed, and says what the common factor is measured in.
  init(_ figures: [Figure], shape: CostShape, reference: CostReference, benchmarks: [String: ProfileConstant]) {
    self.figures = figures
    self.shape = shape
    var devices: [String] = []
    for figure in figures where !devices.contains(figure.device.name) { devices.append(figure.device.name) }
    self.devices = devices
    let model = Model(shape: shape, reference: reference, devices: devices, benchmarks: benchmarks)
    let observations = figures.map(model.observation)
    self.observations = observations
    let fitted = zip(figures, observations).filter { $0.0.role == .fitted }.map(\.1)
    var trials: [(deviation: Double, fit: LogNormalFit, errors: [Double], score: Score)] = []
    for deviation in Self.priorDeviations {
      let fit = LogNormalFit(parameters: model.parameters(deviation), observations: fitted)
      var partial: [String: LogNormalFit] = [:]
      for table in fit.groups { partial[table] = fit.leavingOut(table) }
      let errors = observations.map { (partial[$0.group] ?? fit).error(of: $0) }
      let score = Score(zip(figures, errors).filter { $0.0.role == .fitted }.map { abs($0.1) })
      trials.append((deviation, fit, errors, score))
    }
    guard let best = trials.map(\.score).min(by: { $0.mean < $1.mean }),
      let chosen = trials.first(where: { $0.score.mean <= best.mean + best.standardError })
    else { trapMisuse("a shape was to be fitted with no prior to choose from") }
    (priorDeviation, fit, leftOutErrors) = (chosen.deviation, chosen.fit, chosen.errors)
    scores = trials.map { ($0.deviation, $0.score) }
  }

  /// How far figures are off whose table is left out.
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
  /// Figures as observations. The parameters are the common factor, those of the groups, then the speed of each device.
  private struct Model {
    let shape: CostShape
    let reference: CostReference
    let devices: [String]
    let benchmarks: [String: ProfileConstant]

    private func group(_ place: Int) -> Int { 1 + place }
    private func speed(of device: Int) -> Int { 1 + shape.groups.count + device }

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
        let isOthers = ShapeFit.groupsOfOthers.contains(group.name)
        return LogNormalFit.Term(
          instructions * base, (isOthers ? [] : [0]) + [self.group(place), speed(of: device)])
      }
      var waiting = 0.0
      if figure.clock == .wall {
        waiting = CostPart.all.filter { !$0.component.isCPU }
          .reduce(0) { $0 + count($1) * (figure.device.cost($1.kind, $1.component)?.value ?? 0) }
        // Threads run at the same time: the wall time is a part of what all of them take together.
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
          mean: 0,
          deviation: ShapeFit.groupsOfOthers.contains(group.name) ? ShapeFit.othersDeviation : priorDeviation)
      }
      let speeds = devices.map { name -> LogNormalFit.Parameter in
        // The one device with a speed of its own says what the common factor is measured in.
        guard let speed = benchmarks[name] else { return LogNormalFit.Parameter(mean: 0, deviation: 1e-3) }
        let deviation = log(speed.high / speed.low) / (2 * 1.645)
        return LogNormalFit.Parameter(mean: log(speed.value), deviation: max(ShapeFit.leastSpeedDeviation, deviation))
      }
      return [LogNormalFit.Parameter(mean: 0, deviation: ShapeFit.commonDeviation)] + groups + speeds
    }
  }
}

// MARK: - Results

extension ShapeFit {
  /// The factor that all of Core Data's own groups are drawn towards.
  var commonFactor: Double { exp(fit.values[0]) }

  /// The error of a figure with the fitted constants, as predicted ÷ published − 1.
  func error(ofFigure place: Int) -> Double { exp(fit.error(of: observations[place])) - 1 }

  /// The shape with the fitted factors. A range holds nine values in ten: it is as wide as the prior and the figures
  /// leave it, and at least as the scatter of left-out figures around their table's own error.
  func fittedShape() -> CostShape {
    let scatter = scatterWithinTables
    return shape.with(
      factors: shape.groups.enumerated().map { place, group in
        let isOthers = Self.groupsOfOthers.contains(group.name)
        let own = fit.values[1 + place] + (isOthers ? 0 : fit.values[0])
        let prior = isOthers ? Self.othersDeviation : priorDeviation
        let isDetermined =
          fit.deviations[1 + place] < Self.determinedPart * prior && !determiningTables(ofGroup: place).isEmpty
        let tables = determiningTables(ofGroup: place)
        return ProfileFit.constant(
          exp(own), deviation: max(fit.deviations[1 + place], scatter),
          source: isDetermined
            ? "fitted to \(tables.joined(separator: ", "))"
            : "assumption: no published row determines it; \(isOthers ? "as here" : "as the rest of Core Data")")
      })
  }

  /// The fitted speed of a device, relative to the one that its profile names; nil for a device without figures.
  func speed(of name: String) -> Double? {
    devices.firstIndex(of: name).map { exp(fit.values[1 + shape.groups.count + $0]) }
  }

  /// The tables of a device, in their order.
  func tables(of name: String) -> [String] {
    figures.reduce(into: []) { tables, figure in
      if figure.device.name == name, !tables.contains(figure.table) { tables.append(figure.table) }
    }
  }

  /// The standard deviation of a whole table's error when the table is left out: how far off a device may be that has no
  /// table of its own.
  var scatterBetweenTables: Double {
    let means = tableErrors.map(\.mean)
    return means.isEmpty ? 0 : (means.reduce(0) { $0 + $1 * $1 } / Double(means.count)).squareRoot()
  }

  /// The mean logarithm of predicted over published of each table that is left out.
  var tableErrors: [(table: String, mean: Double)] {
    var tables: [String] = []
    for figure in figures where !tables.contains(figure.table) { tables.append(figure.table) }
    return tables.map { table in
      let errors = zip(figures, leftOutErrors).filter { $0.0.table == table }.map(\.1)
      return (table, errors.reduce(0, +) / Double(errors.count))
    }
  }

  private var scatterWithinTables: Double {
    let means = Dictionary(tableErrors.map { ($0.table, $0.mean) }, uniquingKeysWith: { first, _ in first })
    let squares = zip(figures, leftOutErrors).map { figure, error in
      let distance = error - (means[figure.table] ?? 0)
      return distance * distance
    }
    return squares.isEmpty ? 0 : (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  /// The tables of fitted figures of which a group makes up a good part.
  private func determiningTables(ofGroup place: Int) -> [String] {
    var tables: [String] = []
    for (figure, observation) in zip(figures, observations) where figure.role == .fitted {
      let own = observation.terms.filter { $0.parameters.contains(1 + place) }.reduce(0) { $0 + fit.amount(of: $1) }
      guard own >= Self.leastShare * fit.prediction(of: observation), !tables.contains(figure.table) else { continue }
      tables.append(figure.table)
    }
    return tables
  }
}
