import ContextEngine
import MachineCore
import Metrics

/// A measurement of the costs of the engine's work on this computer, by scenarios of several sizes.
package struct Calibration {
  /// The number of times that each scenario runs at each size.
  package struct Effort: Hashable, Sendable {
    /// The time after which no further round begins.
    package var time: TimeSpan
    package var minimumRounds: Int
    package var maximumRounds: Int
  }

  private let bench: CalibrationBench
  private let scenarios: [CalibrationScenario]

  package init(_ bench: CalibrationBench, scenarios: [CalibrationScenario] = CalibrationScenario.all) {
    self.bench = bench
    self.scenarios = scenarios
  }

  /// The result of a calibration.
  package struct Outcome: Sendable {
    /// The typical measurement of each scenario and size, scenario by scenario, sizes ascending.
    package let measurements: [WorkMeasurement]
    /// The median of the yardstick over the rounds, or nil without a yardstick.
    package let yardstick: TimeSpan?
    /// The signs of other programs, without those in the times of wakings.
    package let disturbance: Disturbance
  }

  /// Measures each scenario at each size, round after round.
  ///
  /// Blocks for about the effort's time. Each round runs every scenario and size once, in a random order that differs
  /// from round to round, so that neither a slow stretch of the computer nor what ran before lengthens one scenario in
  /// all rounds. The yardstick runs before each round, and the round's CPU times are divided by how much slower it was
  /// than in the median round. Before the first round, each scenario runs once at its first size
  /// to warm up; that is not counted, but its time is part of the effort's time.
  ///
  /// - Parameters:
  ///   - effort: The limits of the time and of the number of rounds.
  ///   - didRunRound: Called after each round with the number of rounds so far.
  /// - Returns: The typical measurement of each scenario and size, and the median of the yardstick.
  /// - Throws: The error of a scenario.
  package func run(_ effort: Effort, didRunRound: (Int) -> Void = { _ in }) throws -> Outcome {
    let places = scenarios.indices.flatMap { place in scenarios[place].sizes.indices.map { (place, $0) } }
    var rounds: [(yardstick: TimeSpan?, measured: [WorkMeasurement])] = []
    let begin = bench.machine.now
    let (cpuBefore, waitedBefore) = (bench.instruments.threadCPU(), bench.instruments.runQueueWait())
    for scenario in scenarios { _ = try bench.run(scenario, size: scenario.sizes[0]) }
    for round in 0..<effort.maximumRounds {
      if round >= effort.minimumRounds, bench.machine.now - begin > effort.time { break }
      let yardstick = bench.instruments.yardstick?()
      var measured = [WorkMeasurement?](repeating: nil, count: places.count)
      for index in Self.order(of: places.count, inRound: round) {
        let (place, size) = places[index]
        measured[index] = try bench.run(scenarios[place], size: scenarios[place].sizes[size])
      }
      rounds.append((yardstick, measured.compactMap(\.self)))
      didRunRound(round + 1)
    }
    let cpu = bench.instruments.threadCPU() - cpuBefore
    let waited = bench.instruments.runQueueWait().flatMap { now in waitedBefore.map { now - $0 } }
    let yardsticks = rounds.compactMap(\.yardstick).sorted()
    let median = yardsticks.isEmpty ? nil : yardsticks[(yardsticks.count - 1) / 2]
    let scaled = rounds.map { round in
      guard let median, let own = round.yardstick, own > .zero else { return round.measured }
      return round.measured.map { $0.withCPU(times: Double(median.nanoseconds) / Double(own.nanoseconds)) }
    }
    return Outcome(
      measurements: places.indices.compactMap { index in WorkMeasurement.typical(of: scaled.map { $0[index] }) },
      yardstick: median,
      disturbance: Disturbance(roundCount: rounds.count, cpu: cpu, waited: waited, yardsticks: yardsticks))
  }

  /// Returns a random order that is always the same for a round.
  private static func order(of count: Int, inRound round: Int) -> [Int] {
    var random = SeededRandom(seed: UInt64(round), stream: "order of scenarios")
    var order = Array(0..<count)
    for place in order.indices.dropFirst().reversed() { order.swapAt(place, random.below(place + 1)) }
    return order
  }
}
