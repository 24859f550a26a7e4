import ContextEngine
import MachineCore
import Metrics

/// Measures what the engine's work takes on this computer: every scenario at every size, round after round.
package struct Calibration {
  /// How often each scenario runs at each size.
  package struct Effort: Hashable, Sendable {
    /// Rounds begin until this much time has passed.
    package var time: Span
    package var minimumRounds: Int
    package var maximumRounds: Int

    package init(time: Span, minimumRounds: Int, maximumRounds: Int) {
      self.time = time
      self.minimumRounds = minimumRounds
      self.maximumRounds = maximumRounds
    }
  }

  private let bench: CalibrationBench
  private let scenarios: [CalibrationScenario]

  package init(_ bench: CalibrationBench, scenarios: [CalibrationScenario] = CalibrationScenario.all) {
    self.bench = bench
    self.scenarios = scenarios
  }

  /// The typical measurement of each scenario and size, scenario by scenario, sizes ascending.
  ///
  /// Blocks for about the effort's time. Rounds go through all scenarios, so that a slow stretch of the computer slows
  /// one repetition of each and not all of one. The first round warms up and counts nothing.
  ///
  /// - Parameter hearRound: told how many rounds have been measured.
  /// - Throws: what a scenario throws.
  package func run(_ effort: Effort, hearRound: (Int) -> Void = { _ in }) throws -> [WorkMeasurement] {
    var repetitions = scenarios.map { $0.sizes.map { _ in [WorkMeasurement]() } }
    let begin = bench.machine.now
    for scenario in scenarios { _ = try bench.run(scenario, size: scenario.sizes[0]) }
    for round in 0..<effort.maximumRounds {
      if round >= effort.minimumRounds, bench.machine.now - begin > effort.time { break }
      for (place, scenario) in scenarios.enumerated() {
        for (sizePlace, size) in scenario.sizes.enumerated() {
          repetitions[place][sizePlace].append(try bench.run(scenario, size: size))
        }
      }
      hearRound(round + 1)
    }
    return repetitions.flatMap { $0.compactMap(WorkMeasurement.typical(of:)) }
  }

  /// What it takes one thread to wake another that is parked for it: half of what faults cost more that are fired through
  /// a context of the main queue than through one of a private queue, each a round trip between two threads.
  ///
  /// The median of rounds, by CPU time: what passed by the clock is that of other programs as well. Blocks for about half
  /// a second.
  ///
  /// - Throws: what a fetch throws.
  package func measureHandOver() throws -> Span {
    let rounds = try (0..<15).map { _ in
      try faultCost(through: .mainQueue) - faultCost(through: .privateQueue)
    }
    return Span(nanoseconds: max(0, rounds.sorted()[rounds.count / 2] / 2))
  }

  /// CPU time of all threads for one fault of a child, in nanoseconds.
  private func faultCost(through type: ManagedObjectContext.ConcurrencyType) throws -> Int64 {
    let entity = bench.catalogSchema.entities[1]
    let faults = CalibrationScenario("hand over", sizes: [Self.handOverCount]) { bench, size in
      let parent = ManagedObjectContext(type, coordinator: try bench.populated(), name: "parent")
      let child = bench.child(of: parent)
      let held = try bench.rows(size, of: entity, in: parent)
      let rows = try bench.rows(size, of: entity, in: child, asFaults: true)
      bench.measure(onAllThreads: true) { child.performAndWait { for row in rows { _ = row[entity.key] } } }
      withExtendedLifetime(held) {}
    }
    return try bench.run(faults, size: Self.handOverCount).cpu.nanoseconds / Int64(Self.handOverCount)
  }

  private static let handOverCount = 1_000
}
