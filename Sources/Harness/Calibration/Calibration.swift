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

  /// What it takes one thread to wake another that is parked for it: half of what it costs more, for each round trip, to
  /// import into a child of a context of the main queue than into a child of a private one.
  ///
  /// The lower quartile of rounds, by CPU time of all threads. It has two values on Linux, that of threads which the
  /// system lets share a core and several times as much where each has one of its own; imports mostly see the lower.
  /// Blocks for some seconds.
  ///
  /// - Throws: what an import throws.
  package func measureHandOver() throws -> Span {
    let rounds = try (0..<Self.handOverRounds).map { _ -> Int64 in
      let main = try importCost(through: .mainQueue)
      let alone = try importCost(through: .privateQueue)
      // Those of the child itself are within a block or after all.
      let trips = main[count: .performAndWait] - 2 * Self.handOverUnits
      return (main.cpu - alone.cpu).nanoseconds / Int64(2 * max(1, trips))
    }
    return Span(nanoseconds: max(0, rounds.sorted()[rounds.count / 4]))
  }

  private static let handOverRounds = 24
  private static let handOverUnits = 4

  private func importCost(through type: ManagedObjectContext.ConcurrencyType) throws -> WorkMeasurement {
    let failures = Guarded<[any Error]>([])
    let imports = CalibrationScenario("hand over", sizes: [Self.handOverUnits]) { bench, size in
      let parent = ManagedObjectContext(type, coordinator: try bench.populated(), name: "parent")
      let child = bench.child(of: parent)
      let units = try (0..<size).map { try bench.decoder.decode(bench.catalog.payload($0)) }
      let schema = bench.catalogSchema
      try bench.measure(onAllThreads: true) {
        for unit in units {
          child.perform {
            do {
              try CalibrationBench.importUnit(unit[...], into: child, schema, .unit)
            } catch {
              failures.withLock { $0.append(error) }
            }
          }
          child.performAndWait {}
        }
      }
    }
    let measured = try bench.run(imports, size: Self.handOverUnits)
    if let failure = failures.withLock({ $0.first }) { throw failure }
    return measured
  }
}
