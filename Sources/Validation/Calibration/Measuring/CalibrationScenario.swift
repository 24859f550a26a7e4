import ContextEngine
import MachineCore

/// A known amount of the engine's work that is small enough to be measured often.
package struct CalibrationScenario: Sendable {
  package let name: String
  /// The sizes in ascending order.
  package let sizes: [Int]
  /// The weight of the scenario in a fit. Scenarios that do the work of a whole import have a larger weight.
  package let weight: Double
  let body: @Sendable (CalibrationBench, _ size: Int) throws -> Void

  init(
    _ name: String, sizes: [Int], weight: Double = 1,
    body: @escaping @Sendable (CalibrationBench, _ size: Int) throws -> Void
  ) {
    self.name = name
    self.sizes = sizes
    self.weight = weight
    self.body = body
  }

  /// Returns the scenario with its smallest sizes only.
  package func limited(to count: Int) -> CalibrationScenario {
    CalibrationScenario(name, sizes: Array(sizes.prefix(count)), weight: weight, body: body)
  }

  /// All scenarios. Together they do every kind of work, in different proportions.
  package static let all: [CalibrationScenario] = importing + fetching + changing + nesting + merging + showing + saving

  /// The weights of the scenarios by their names.
  package static let weights = Dictionary(all.map { ($0.name, $0.weight) }, uniquingKeysWith: { first, _ in first })
}
