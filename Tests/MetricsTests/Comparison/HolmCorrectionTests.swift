import Metrics
import Testing

@Suite struct HolmCorrectionTests {
  /// The expected values are those of R 4's `p.adjust(p, "holm")`.
  @Test(
    arguments: [
      ([0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]),
      ([0.04, 0.001, 0.5], [0.08, 0.003, 0.5]),
      ([0.03, 0.03], [0.06, 0.06]),
      ([0.6, 0.7], [1, 1]),
      ([0.02], [0.02]),
      ([], []),
    ] as [([Double], [Double])])
  func `corrected probabilities equal those of Holm's method in R`(probabilities: [Double], expected: [Double]) {
    let corrected = HolmCorrection.corrected(probabilities)
    #expect(corrected.count == expected.count)
    for (corrected, expected) in zip(corrected, expected) { #expect(abs(corrected - expected) < 1e-12) }
  }

  @Test func `the correction keeps the order and lowers no probability`() {
    let probabilities = (0..<48).map { Double($0 * 29 % 48 + 1) / 500 }
    let corrected = HolmCorrection.corrected(probabilities)
    for (before, after) in zip(probabilities, corrected) { #expect(after >= before && after <= 1) }
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    #expect(zip(order, order.dropFirst()).allSatisfy { corrected[$0] <= corrected[$1] })
    #expect(corrected[order[0]] == probabilities[order[0]] * 48)
  }
}
