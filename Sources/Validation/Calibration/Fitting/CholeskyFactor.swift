/// The lower triangular factor of a symmetric, positive definite matrix, by Cholesky's decomposition.
///
/// Factoring takes O(size³), each solution after that O(size²).
package struct CholeskyFactor {
  private let size: Int
  /// The rows of the factor, one after another. The elements right of the diagonal are never read.
  private var lower: [Double]

  /// Creates the factor, or returns nil if the matrix is not positive definite.
  ///
  /// - Parameters:
  ///   - matrix: The rows of the matrix, one after another. Only the elements on and left of the diagonal are read.
  ///   - size: The number of rows.
  package init?(_ matrix: [Double], size: Int) {
    precondition(matrix.count == size * size, "a matrix of \(size) rows with \(matrix.count) elements")
    self.size = size
    lower = matrix
    let isFactored = lower.withUnsafeMutableBufferPointer { lower in
      guard let first = lower.baseAddress else { return true }
      for row in 0..<size {
        let own = first + row * size
        for column in 0..<row {
          let other = first + column * size
          own[column] = Self.rest(of: own[column], own, other, count: column) / other[column]
        }
        let square = Self.rest(of: own[row], own, own, count: row)
        guard square > 0, square.isFinite else { return false }
        own[row] = square.squareRoot()
      }
      return true
    }
    guard isFactored else { return nil }
  }

  /// Returns the elements of a row of the factor, up to the diagonal.
  package func row(_ row: Int) -> [Double] { Array(lower[row * size...row * size + row]) }

  /// Returns x with matrix · x = target.
  func solution(for target: [Double]) -> [Double] {
    precondition(target.count == size, "\(target.count) values for a matrix of \(size) rows")
    var solution = target
    for row in 0..<size {
      lower.withUnsafeBufferPointer { lower in
        solution.withUnsafeMutableBufferPointer { solution in
          guard let values = solution.baseAddress, let first = lower.baseAddress else { return }
          let own = first + row * size
          values[row] = Self.rest(of: values[row], own, values, count: row) / own[row]
        }
      }
    }
    for row in (0..<size).reversed() {
      var value = solution[row]
      var place = row + 1
      while place < size {
        value -= lower[place * size + row] * solution[place]
        place += 1
      }
      solution[row] = value / lower[row * size + row]
    }
    return solution
  }

  /// Returns a value minus the inner product of two rows.
  ///
  /// Almost all time of a fit is spent here. Iterating over a range would make builds without optimization, which tests
  /// run, several times slower.
  private static func rest(
    of value: Double, _ left: UnsafePointer<Double>, _ right: UnsafePointer<Double>, count: Int
  ) -> Double {
    var value = value
    var place = 0
    while place < count {
      value -= left[place] * right[place]
      place += 1
    }
    return value
  }
}
