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

/// The growth of a time with the number of rows.
package enum Growth {
  /// Returns the power of the number of rows with which a time grows. It is 1 if the time is proportional to the
  /// number.
  package static func exponent(rows: (Int, Int), times: (Double, Double)) -> Double {
    log(times.1 / times.0) / log(Double(rows.1) / Double(rows.0))
  }
}
