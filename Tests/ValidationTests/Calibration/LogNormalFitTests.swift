import Foundation
import Testing

@testable import Validation

@Suite struct LogNormalFitTests {
  private typealias Observation = LogNormalFit.Observation
  private typealias Parameter = LogNormalFit.Parameter

  private func observation(
    _ group: String, _ terms: [(Double, [Int])], _ measured: Double, constant: Double = 0
  ) -> Observation {
    Observation(
      group: group, terms: terms.map { .init($0.0, parameters: $0.1) }, constant: constant, measured: measured,
      deviation: 0.01)
  }

  @Test func `constants that exact totals determine are found whatever their prior`() {
    let fit = LogNormalFit(
      parameters: [Parameter(mean: log(10), deviation: 2), Parameter(mean: log(1), deviation: 2)],
      observations: [
        observation("one", [(1, [0]), (10, [1])], 3 + 50), observation("two", [(10, [0]), (1, [1])], 30 + 5),
        observation("three", [(2, [0]), (2, [1])], 6 + 10),
      ])
    #expect(abs(exp(fit.values[0]) - 3) < 0.01)
    #expect(abs(exp(fit.values[1]) - 5) < 0.01)
    #expect(fit.observations.allSatisfy { abs(fit.error(of: $0)) < 0.001 })
  }

  @Test func `a constant absent from all totals keeps its prior and deviation`() {
    let fit = LogNormalFit(
      parameters: [Parameter(mean: log(2), deviation: 0.5), Parameter(mean: log(7), deviation: 0.5)],
      observations: [observation("one", [(4, [0])], 12)])
    #expect(abs(fit.values[1] - log(7)) < 1e-9)
    #expect(abs(fit.deviations[1] - 0.5) < 1e-9)
    #expect(fit.deviations[0] < 0.05)
  }

  @Test func `two constants that occur only together share the difference equally`() {
    let fit = LogNormalFit(
      parameters: [Parameter(mean: 0, deviation: 0.3), Parameter(mean: 0, deviation: 0.3)],
      observations: [observation("one", [(1, [0]), (1, [1])], 4)])
    #expect(abs(fit.values[0] - fit.values[1]) < 1e-6)
    #expect(abs(exp(fit.values[0]) - 2) < 0.02)
  }

  @Test func `constants of which only the product is known vary against each other`() {
    let fit = LogNormalFit(
      parameters: [Parameter(mean: 0, deviation: 0.3), Parameter(mean: 0, deviation: 0.3)],
      observations: [observation("one", [(1, [0, 1])], 1)])
    let both = observation("two", [(1, [0, 1])], 1)
    #expect(abs(fit.covariance(0, 1) / fit.covariance(0, 0) + 1) < 0.01)
    #expect(fit.variance(ofSumOf: [both]) < 0.0002)
    #expect(abs(fit.variance(ofSumOf: [observation("three", [(5, [0])], 1)]) / 0.045 - 1) < 0.01)
    #expect(abs(fit.variance(ofSumOf: [both, both]) / fit.variance(ofSumOf: [both]) - 4) < 1e-6)
  }

  @Test func `the factor of a class changes all constants of the class`() {
    // Parameter 0 is the class; the constants are twice as dear as thought, and the second is counted once only.
    let parameters = [Parameter(mean: 0, deviation: 1)] + (0..<3).map { _ in Parameter(mean: 0, deviation: 0.1) }
    let fit = LogNormalFit(
      parameters: parameters,
      observations: [observation("one", [(10, [0, 1])], 20), observation("two", [(30, [0, 2])], 60)])
    let unseen = observation("three", [(5, [0, 3])], 10)
    #expect(abs(exp(fit.error(of: unseen)) - 1) < 0.02)
  }

  @Test func `leavingOut(_:) fits only the other groups`() {
    let fit = LogNormalFit(
      parameters: [Parameter(mean: 0, deviation: 3)],
      observations: [observation("slow", [(1, [0])], 8), observation("quick", [(1, [0])], 2)])
    #expect(fit.groups == ["slow", "quick"])
    #expect(abs(exp(fit.leavingOut("slow").values[0]) - 2) < 0.01)
    #expect(abs(exp(fit.values[0]) - 4) < 0.01)
  }

  @Test func `the known part of a total is subtracted before the fit`() {
    let fit = LogNormalFit(
      parameters: [Parameter(mean: 0, deviation: 3)], observations: [observation("one", [(2, [0])], 16, constant: 10)])
    #expect(abs(exp(fit.values[0]) - 3) < 0.01)
  }

  @Test func `constants stay positive if totals suggest negative values`() {
    let fit = LogNormalFit(
      parameters: [Parameter(mean: 0, deviation: 1), Parameter(mean: 0, deviation: 1)],
      observations: [
        observation("one", [(1, [0])], 10), observation("two", [(1, [0]), (1, [1])], 9),
      ])
    #expect(fit.values.allSatisfy { $0.isFinite })
    #expect(exp(fit.values[1]) > 0)
  }
}
