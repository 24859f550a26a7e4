/// Holm's correction: probabilities of several tests such that 5 % holds for all of them together.
package enum HolmCorrection {
  /// The corrected probabilities, in the order of the given ones.
  ///
  /// Step-down: the smallest is multiplied by the number of tests, the next by one less, and so on; none is smaller than
  /// one before it. O(n log n) in the number of tests.
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
