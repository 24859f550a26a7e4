import Metrics

/// The values of one measure of one stack over the devices that the gate draws.
enum GateSamples {
  /// A value before and now, on the same device with the same instants of arrival.
  struct Pair: Hashable, Sendable {
    let before: Double
    let now: Double
  }

  /// The name of a stack in the baseline, and that of the stack in its place now.
  struct Names: Hashable, Sendable {
    let before: String
    let now: String
  }

  /// Returns the pairs of values, in the order of the draws; draws that only one of the results has are left out.
  static func pairs(of stack: Names, measure: Measure, before: GateResults, now: GateResults) -> [Pair] {
    let old = values(of: stack.before, measure: measure, in: before)
    let new = values(of: stack.now, measure: measure, in: now)
    return old.keys.sorted().compactMap { number in
      guard let before = old[number], let now = new[number] else { return nil }
      return Pair(before: before, now: now)
    }
  }

  /// Returns the mean of all draws, or nil if no draw has a value.
  static func mean(of stack: String, measure: Measure, in results: GateResults) -> Double? {
    let values = values(of: stack, measure: measure, in: results)
    return values.isEmpty ? nil : values.keys.sorted().reduce(0) { $0 + (values[$1] ?? 0) } / Double(values.count)
  }

  private static func values(of stack: String, measure: Measure, in results: GateResults) -> [Int: Double] {
    var values: [Int: Double] = [:]
    for record in results.samples where record.identity.name == stack {
      values[record.identity.trial] = record.measures[keyPath: measure.keyPath].map(Double.init)
    }
    return values
  }
}

extension [GateSamples.Pair] {
  /// The mean of the values before and the mean of the values now. The list must not be empty.
  var means: GateSamples.Pair {
    GateSamples.Pair(
      before: reduce(0) { $0 + $1.before } / Double(count), now: reduce(0) { $0 + $1.now } / Double(count))
  }
}
