/// Holm's correction, which adjusts the probabilities of several tests so that a level of 5 % holds for all of them
/// together.
package enum HolmCorrection {
  /// Returns the corrected probabilities, in the order of the given ones.
  ///
  /// The correction is step-down: the smallest probability is multiplied by the number of tests, the next by one less,
  /// and so on, and each is at least as large as the one before it. O(n log n) in the number of tests.
  package static func corrected(_ probabilities: [Double]) -> [Double] {
    let order = probabilities.indices.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
    var corrected = probabilities
    var largest = 0.0
    for (place, index) in order.enumerated() {
      largest = max(largest, min(1, probabilities[index] * Double(order.count - place)))
      corrected[index] = largest
    }
    return corrected
  }
}
