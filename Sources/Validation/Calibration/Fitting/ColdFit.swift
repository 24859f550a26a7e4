import Foundation
import MachineCore
import Metrics

/// The additional time that a thread takes after a sleep, because its data has left the caches of its core.
///
/// A block takes `rate · min(slept, limit)` longer after a sleep. Both constants are fitted to measurements of blocks
/// that run after sleeps of different lengths.
package struct ColdFit {
  /// The length of sleep beyond which a block becomes no slower.
  package let limit: TimeSpan
  /// The additional nanoseconds for each microsecond of sleep.
  package let rate: Double

  /// The limits to choose from, in microseconds.
  private static let limits = (0...60).map { 10 * pow(1.12, Double($0)) }

  /// Fits the constants to measurements. Returns nil if no block has three measurements, or if blocks are no slower
  /// after longer sleeps.
  ///
  /// - Complexity: O(*n*), where *n* is the number of measurements.
  /// - Parameters:
  ///   - measurements: The measurements of each block. The size of a measurement is the length of its sleeps in
  ///     microseconds.
  ///   - blockCount: The number of times that the block runs in each measurement.
  package init?(_ measurements: [[WorkMeasurement]], blockCount: Int) {
    let blocks = measurements.filter { $0.count > 2 }.map { block in
      block.map { (Double($0.size), Double($0.cpu.nanoseconds) / Double(blockCount)) }
    }
    guard !blocks.isEmpty else { return nil }
    var best = (error: Double.infinity, limit: 0.0, rate: 0.0)
    for limit in Self.limits {
      let line = Self.line(through: blocks.flatMap { Self.centred($0.map { (min($0.0, limit), $0.1) }) })
      if line.error < best.error { best = (line.error, limit, line.rate) }
    }
    guard best.rate > 0 else { return nil }
    limit = TimeSpan(nanoseconds: Int64((best.limit * 1_000).rounded()))
    rate = best.rate
  }

  /// Returns the points' distances from their mean.
  private static func centred(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    let meanX = points.reduce(0) { $0 + $1.x } / Double(points.count)
    let meanY = points.reduce(0) { $0 + $1.y } / Double(points.count)
    return points.map { ($0.x - meanX, $0.y - meanY) }
  }

  /// Returns the slope of the straight line through the origin with the least squares, and the sum of these squares.
  private static func line(through points: [(x: Double, y: Double)]) -> (rate: Double, error: Double) {
    let spread = points.reduce(0) { $0 + $1.x * $1.x }
    let rate = spread > 0 ? points.reduce(0) { $0 + $1.x * $1.y } / spread : 0
    let error = points.reduce(0) { sum, point in
      let distance = point.y - rate * point.x
      return sum + distance * distance
    }
    return (rate, error)
  }
}
