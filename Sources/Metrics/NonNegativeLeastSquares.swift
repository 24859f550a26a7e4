/// The non-negative numbers x for which the rows' sums A·x come nearest to what was measured, in least squares.
///
/// Lawson and Hanson's active sets (Solving Least Squares Problems, 1974, chapter 23) over the normal equations, whose
/// columns are brought to length 1: tens of columns, hundreds of rows. Deterministic.
package struct NonNegativeLeastSquares: Sendable {
  /// One for each column; 0 where the best is not above 0.
  package private(set) var solution: [Double]
  /// Columns that the others already make up, so that the rows do not tell them apart: their share is the others'.
  package private(set) var dependent: [Bool]

  // AᵀA and Aᵀb of the columns at length 1.
  private var products: [[Double]]
  private var targets: [Double]
  private var isFree: [Bool]

  /// What is left of a column's length beside the others, below which it counts as made up of them.
  private static let pivotLimit = 1e-9
  /// The gain, in parts of the largest, below which another column is not worth having.
  private static let gainLimit = 1e-12

  /// - Parameters:
  ///   - rows: of equal length, one coefficient a column.
  ///   - measured: one for each row.
  ///   - weights: how much a row counts, one for each; to divide by what was measured makes errors relative.
  package init(rows: [[Double]], measured: [Double], weights: [Double]) {
    let width = rows.first?.count ?? 0
    var products = Array(repeating: Array(repeating: 0.0, count: width), count: width)
    var targets = Array(repeating: 0.0, count: width)
    for (row, (value, weight)) in zip(rows, zip(measured, weights)) {
      let square = weight * weight
      for first in 0..<width where row[first] != 0 {
        targets[first] += square * row[first] * value
        for second in 0..<width { products[first][second] += square * row[first] * row[second] }
      }
    }
    let lengths = (0..<width).map { products[$0][$0].squareRoot() }
    for first in 0..<width where lengths[first] > 0 {
      targets[first] /= lengths[first]
      for second in 0..<width where lengths[second] > 0 {
        products[first][second] /= lengths[first] * lengths[second]
      }
    }
    self.products = products
    self.targets = targets
    solution = Array(repeating: 0, count: width)
    dependent = lengths.map { $0 == 0 }
    isFree = Array(repeating: false, count: width)
    solve()
    for column in 0..<width where !isFree[column] && !dependent[column] {
      dependent[column] = isMadeUpOfFreeColumns(column)
    }
    for column in 0..<width where lengths[column] > 0 { solution[column] /= lengths[column] }
  }

  /// Frees one column after the other, that with the largest gain first, and fixes at 0 those that would go below.
  private mutating func solve() {
    let least = (targets.map(abs).max() ?? 0) * Self.gainLimit
    // Each round lessens the error; the limit is for rounding alone.
    for _ in 0..<(10 * solution.count + 10) {
      guard let best = columnOfLargestGain(above: least) else { return }
      isFree[best] = true
      while let candidate = candidate() {
        guard let step = stepToZero(candidate) else {
          solution = candidate
          break
        }
        for column in solution.indices where isFree[column] {
          solution[column] += step * (candidate[column] - solution[column])
          if solution[column] <= 1e-15 {
            solution[column] = 0
            isFree[column] = false
          }
        }
      }
    }
  }

  private func columnOfLargestGain(above least: Double) -> Int? {
    var best: (column: Int, gain: Double)?
    for column in solution.indices where !isFree[column] && !dependent[column] {
      var gain = targets[column]
      for other in solution.indices where isFree[other] { gain -= products[column][other] * solution[other] }
      if gain > max(least, best?.gain ?? 0) { best = (column, gain) }
    }
    return best?.column
  }

  /// The least squares of the free columns; nil where one of them, which is fixed then, is made up of the others.
  private mutating func candidate() -> [Double]? {
    let free = solution.indices.filter { isFree[$0] }
    var matrix = free.map { row in free.map { products[row][$0] } + [targets[row]] }
    // Symmetric and positive: no need to swap rows.
    for pivot in free.indices {
      guard matrix[pivot][pivot] > Self.pivotLimit else {
        isFree[free[pivot]] = false
        dependent[free[pivot]] = true
        solution[free[pivot]] = 0
        return candidate()
      }
      for row in free.indices.dropFirst(pivot + 1) {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for column in pivot...free.count { matrix[row][column] -= factor * matrix[pivot][column] }
      }
    }
    var values = Array(repeating: 0.0, count: solution.count)
    for row in free.indices.reversed() {
      var value = matrix[row][free.count]
      for column in free.indices.dropFirst(row + 1) { value -= matrix[row][column] * values[free[column]] }
      values[free[row]] = value / matrix[row][row]
    }
    return values
  }

  /// Whether nothing is left of a column beside the free ones: it could stand in their place, and gains nothing with them.
  private func isMadeUpOfFreeColumns(_ column: Int) -> Bool {
    let columns = solution.indices.filter { isFree[$0] } + [column]
    var matrix = columns.map { row in columns.map { products[row][$0] } }
    for pivot in columns.indices.dropLast() {
      for row in columns.indices.dropFirst(pivot + 1) {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for place in pivot..<columns.count { matrix[row][place] -= factor * matrix[pivot][place] }
      }
    }
    return matrix[columns.count - 1][columns.count - 1] <= Self.pivotLimit
  }

  /// How far towards the candidate the first column comes to 0; nil if none does.
  private func stepToZero(_ candidate: [Double]) -> Double? {
    var step: Double?
    for column in candidate.indices where isFree[column] && candidate[column] <= 0 {
      let distance = solution[column] - candidate[column]
      step = min(step ?? 1, distance > 0 ? solution[column] / distance : 0)
    }
    return step
  }
}
