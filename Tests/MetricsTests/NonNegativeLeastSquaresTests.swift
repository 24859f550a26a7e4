import Metrics
import Testing

struct NonNegativeLeastSquaresTests {
  private func solve(_ rows: [[Double]], _ measured: [Double]) -> NonNegativeLeastSquares {
    NonNegativeLeastSquares(rows: rows, measured: measured, weights: measured.map { _ in 1 })
  }

  private func expect(_ found: [Double], near wanted: [Double], within tolerance: Double = 1e-9) {
    #expect(found.count == wanted.count)
    for (found, wanted) in zip(found, wanted) { #expect(abs(found - wanted) <= tolerance * max(1, abs(wanted))) }
  }

  @Test func `rows that agree are solved exactly`() {
    let fit = solve([[1, 0], [1, 2], [3, 1]], [4, 14, 17])
    expect(fit.solution, near: [4, 5])
    #expect(fit.dependent == [false, false])
  }

  @Test func `rows that disagree are solved in least squares`() {
    // The mean of 2 and 4; and of a line through (1, 1), (2, 2), (3, 4): Σxy / Σx² = 17 / 14.
    expect(solve([[1], [1]], [2, 4]).solution, near: [3])
    expect(solve([[1], [2], [3]], [1, 2, 4]).solution, near: [17.0 / 14])
  }

  @Test func `what would be negative is zero, and the rest is fitted without it`() {
    // Without the bound x = (4, −2); at y = 0 the best x is (1·4 + 1·2) / 2.
    let fit = solve([[1, 0], [1, 1]], [4, 2])
    expect(fit.solution, near: [3, 0])
  }

  @Test func `a column may leave again after it was taken in`() {
    // The last column has the largest gain at first and none beside the other two, which solve the rows exactly.
    let rows: [[Double]] = [[1, 0, 1], [0, 1, 1], [1, 1, 2.2]]
    expect(solve(rows, [3, 1, 4]).solution, near: [3, 1, 0])
  }

  @Test func `a column that moves with another is named, and the other takes its share`() {
    let fit = solve([[1, 2, 0], [2, 4, 1], [3, 6, 0]], [10, 23, 30])
    #expect(fit.dependent.count { $0 } == 1)
    #expect(!fit.dependent[2])
    let first = fit.dependent[0] ? 5 * 2 : fit.solution[0]
    expect([fit.dependent[0] ? fit.solution[1] * 2 : first, fit.solution[2]], near: [10, 3])
  }

  @Test func `a column that no row counts is named`() {
    #expect(solve([[1, 0], [2, 0]], [1, 2]).dependent == [false, true])
  }

  @Test func `a row of twice the weight pulls four times as hard`() {
    let fit = NonNegativeLeastSquares(rows: [[1], [1]], measured: [0, 10], weights: [1, 2])
    expect(fit.solution, near: [8])
  }
}
