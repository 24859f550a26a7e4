import MachineCore
import MachineSimulated
import Metrics

/// The constants of a profile that explain measurements best.
struct ProfileFit {
  /// One constant: a kind of work and a part of its cost.
  struct Column: Hashable {
    var kind: Work.Kind
    var component: CostComponent

    func count(in measurement: WorkMeasurement) -> Double {
      Double(component.isPerByte ? measurement[bytes: kind] : measurement[count: kind])
    }
  }

  struct Line {
    var column: Column
    var constant: CostFit.Constant
  }

  /// The constants that something measured counts.
  let lines: [Line]

  /// A constant's range is at least this much to either side: what a number measured once is worth.
  private static let leastSpread = 0.05

  /// Parts of less than this much of storage time are what reading the clocks takes.
  private static let leastStorage = Span.microseconds(20)

  /// - Parameters:
  ///   - measurements: those of a scenario in a row.
  ///   - weights: of scenarios, by name; 1 where there is none.
  init(_ measurements: [WorkMeasurement], weights: [String: Double] = [:]) {
    let heldOut = ProfileFit.heldOut(measurements)
    func fit(_ components: [CostComponent], _ time: (WorkMeasurement) -> Span, isOf: (WorkMeasurement) -> Bool)
      -> [Line]
    {
      let columns = Work.Kind.allCases.flatMap { kind in
        kind.costComponents.filter(components.contains).map { Column(kind: kind, component: $0) }
      }.filter { column in measurements.contains { isOf($0) && column.count(in: $0) > 0 } }
      let observations = zip(measurements, heldOut).compactMap { measurement, isHeldOut -> CostFit.Observation? in
        guard isOf(measurement), time(measurement) > .zero else { return nil }
        return CostFit.Observation(
          group: measurement.scenario, counts: columns.map { $0.count(in: measurement) },
          nanoseconds: Double(time(measurement).nanoseconds), isHeldOut: isHeldOut,
          weight: weights[measurement.scenario] ?? 1)
      }
      return zip(columns, CostFit(observations).constants).map(Line.init)
    }
    let cpu = fit([.cpu, .cpuPerByte], \.cpu) { _ in true }
    // Reads and writes go to the system's cache: only syncs wait.
    let storage = fit([.storage, .storagePerByte], \.storage) { measurement in
      measurement.storage >= ProfileFit.leastStorage
        && (measurement[count: .sync] > 0 || measurement[count: .fullFlush] > 0)
    }
    lines = cpu + storage.filter { [.sync, .fullFlush].contains($0.column.kind) }
  }

  /// The last but one of each scenario's sizes, where there are three or more.
  private static func heldOut(_ measurements: [WorkMeasurement]) -> [Bool] {
    measurements.indices.map { place in
      let sizes = measurements.filter { $0.scenario == measurements[place].scenario }.map(\.size).sorted()
      return sizes.count >= 3 && sizes[sizes.count - 2] == measurements[place].size
    }
  }

  // MARK: What a profile says

  subscript(kind: Work.Kind, component: CostComponent) -> CostFit.Constant? {
    lines.first { $0.column == Column(kind: kind, component: component) }?.constant
  }

  /// The constant as a profile has it: rounded to three digits, with its range and held-out error.
  static func constant(_ fitted: CostFit.Constant, source: String) -> ProfileConstant {
    let value = rounded(fitted.value)
    guard fitted.isDetermined else {
      return ProfileConstant(
        value: value, low: value, high: value,
        source: "\(source); not told apart from what comes with it, which bears its cost")
    }
    let spread = max(leastSpread, fitted.heldOutError ?? leastSpread)
    let error =
      fitted.value == 0
      ? "no cost beside what comes with it"
      : fitted.heldOutError.map { "held-out error \(Int((100 * $0).rounded())) %" } ?? "no size held out"
    return ProfileConstant(
      value: value, low: min(value, rounded(min(fitted.low, fitted.value * max(0, 1 - spread)))),
      high: max(value, rounded(max(fitted.high, fitted.value * (1 + spread)))), source: "\(source), \(error)")
  }

  private static func rounded(_ number: Double) -> Double {
    guard number > 0 else { return 0 }
    var scale = 1.0
    while number * scale < 100 { scale *= 10 }
    return number >= 1_000 ? number.rounded() : (number * scale).rounded() / scale
  }
}
