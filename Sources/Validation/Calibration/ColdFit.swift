import Foundation
import Ledgers
import MachineCore

/// The additional time that a thread takes after a sleep, because its data has left the caches of its core.
///
/// A block takes `rate · min(slept, limit)` longer after a sleep. Both constants are fitted to measurements of a block
/// that runs after sleeps of different lengths.
package struct ColdFit {
  /// The length of sleep beyond which a block becomes no slower.
  package let limit: TimeSpan
  /// The additional nanoseconds for each microsecond of sleep.
  package let rate: Double

  /// The limits to choose from, in microseconds.
  private static let limits = (0...60).map { 10 * pow(1.12, Double($0)) }

  /// Fits the constants to measurements. Returns nil if there are fewer than three measurements, or if a block is no
  /// slower after longer sleeps.
  ///
  /// - Complexity: O(*n*), where *n* is the number of measurements.
  /// - Parameters:
  ///   - measurements: The measurements of a block that runs after sleeps. The size of a measurement is the length of
  ///     its sleeps in microseconds.
  ///   - blockCount: The number of times that the block runs in each measurement.
  package init?(_ measurements: [WorkMeasurement], blockCount: Int) {
    guard measurements.count > 2 else { return nil }
    let points = measurements.map { (Double($0.size), Double($0.cpu.nanoseconds) / Double(blockCount)) }
    var best = (error: Double.infinity, limit: 0.0, rate: 0.0)
    for limit in Self.limits {
      let line = Self.line(through: points.map { (min($0.0, limit), $0.1) })
      if line.error < best.error { best = (line.error, limit, line.rate) }
    }
    guard best.rate > 0 else { return nil }
    limit = TimeSpan(nanoseconds: Int64((best.limit * 1_000).rounded()))
    rate = best.rate
  }

  /// Returns the slope of the straight line with the least squares, and the sum of these squares.
  private static func line(through points: [(x: Double, y: Double)]) -> (rate: Double, error: Double) {
    let count = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.x } / count
    let meanY = points.reduce(0) { $0 + $1.y } / count
    let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    let rate = spread > 0 ? points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread : 0
    let error = points.reduce(0) { sum, point in
      let distance = point.y - meanY - rate * (point.x - meanX)
      return sum + distance * distance
    }
    return (rate, error)
  }
}
