import ContextEngine
import MachineCore

/// Some of the engine's work in a known amount, small enough to be measured often.
package struct CalibrationScenario: Sendable {
  package let name: String
  /// Ascending.
  package let sizes: [Int]
  /// How many times as much as others it counts: more for what imports do as a whole.
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

  /// The same with its smallest sizes only.
  package func limited(to count: Int) -> CalibrationScenario {
    CalibrationScenario(name, sizes: Array(sizes.prefix(count)), weight: weight, body: body)
  }

  /// Together they do every kind of work, in different proportions.
  package static let all: [CalibrationScenario] = importing + fetching + changing + nesting + merging + showing + saving

  /// How many times as much as others each scenario counts, by name.
  package static let weights = Dictionary(all.map { ($0.name, $0.weight) }, uniquingKeysWith: { first, _ in first })
}
