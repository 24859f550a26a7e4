import MachineCore
import Testing

@testable import Validation

@Suite struct CholeskyFactorTests {
  @Test func `the matrix times the solution is the target`() throws {
    var random = SeededRandom(seed: 1, stream: "matrices")
    func number() -> Double { Double(random.below(2_000)) / 1_000 - 1 }
    for size in 1...12 {
      let root = (0..<size).map { _ in (0..<size).map { _ in number() } }
      // A matrix times its own transpose, with a heavier diagonal, is positive definite.
      let matrix = (0..<size).map { row in
        (0..<size).map { column in
          zip(root[row], root[column]).reduce(row == column ? 1 : 0) { $0 + $1.0 * $1.1 }
        }
      }
      let target = (0..<size).map { _ in number() }
      let factor = try #require(CholeskyFactor(matrix.flatMap(\.self), size: size))
      let solution = factor.solution(for: target)
      for row in 0..<size {
        let product = zip(matrix[row], solution).reduce(0) { $0 + $1.0 * $1.1 }
        #expect(abs(product - target[row]) < 1e-9, "size \(size), row \(row)")
      }
    }
  }

  @Test func `the factor reads only the lower triangle`() throws {
    let factor = try #require(CholeskyFactor([4, .nan, 2, 5], size: 2))
    #expect(factor.solution(for: [8, 13]) == [0.875, 2.25])
  }

  @Test(arguments: [0, -1, .infinity, .nan] as [Double])
  func `the factor is nil if the matrix is not positive definite`(element: Double) {
    #expect(CholeskyFactor([element], size: 1) == nil)
    #expect(CholeskyFactor([1, 0, 0, element], size: 2) == nil)
    #expect(CholeskyFactor([1, 1, 1, 1], size: 2) == nil)
  }
}
