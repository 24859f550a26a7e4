import Foundation

extension Collection<Double> {
  /// The middle value, or the mean of the two in the middle, or nil if the collection is empty. O(n log n).
  package var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// The growth of a time with the size of its work.
package enum Growth {
  /// Returns the power of the size with which a time grows, fitted to the logarithms by least squares, or nil if the
  /// points have fewer than two sizes. It is 1 if the time is proportional to the size.
  package static func exponent(_ points: [(size: Double, time: Double)]) -> Double? {
    let (sizes, times) = (points.map { log($0.size) }, points.map { log($0.time) })
    let count = Double(max(points.count, 1))
    let (size, time) = (sizes.reduce(0, +) / count, times.reduce(0, +) / count)
    let spread = sizes.reduce(0) { $0 + ($1 - size) * ($1 - size) }
    guard spread > 0 else { return nil }
    return zip(sizes, times).reduce(0) { $0 + ($1.0 - size) * ($1.1 - time) } / spread
  }
}
