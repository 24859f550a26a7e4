/// A summary of how well the simulation meets the figures of several published tables, by role and by clock.
package struct PublishedSummary: Hashable, Sendable {
  /// The mean absolute errors of one role, in parts per million. A mean is nil if there are no such figures.
  package struct Errors: Hashable, Sendable {
    package let count: Int
    package let withinBandCount: Int
    package let meanCPUErrorPartsPerMillion: Int64?
    package let meanWallErrorPartsPerMillion: Int64?
    package let meanMemoryErrorPartsPerMillion: Int64?

    init(_ figures: [PublishedResult]) {
      count = figures.count
      withinBandCount = figures.count(where: \.isWithinBand)
      meanCPUErrorPartsPerMillion = Self.meanError(of: figures.filter { $0.clock == .cpu || $0.clock == .mainCPU })
      meanWallErrorPartsPerMillion = Self.meanError(of: figures.filter { $0.clock == .wall })
      meanMemoryErrorPartsPerMillion = Self.meanError(of: figures.filter { $0.clock == .memory })
    }

    private static func meanError(of figures: [PublishedResult]) -> Int64? {
      guard !figures.isEmpty else { return nil }
      return figures.reduce(0) { $0 + abs($1.errorPartsPerMillion) } / Int64(figures.count)
    }
  }

  package let fitted: Errors
  package let predicted: Errors
  package let orderCount: Int
  package let passedOrderCount: Int

  package init(_ comparisons: [PublishedComparison]) {
    let figures = comparisons.flatMap(\.figures)
    fitted = Errors(figures.filter { $0.role == .fitted })
    predicted = Errors(figures.filter { $0.role == .predicted })
    let orders = comparisons.flatMap(\.orders)
    orderCount = orders.count
    passedOrderCount = orders.count(where: \.passed)
  }
}
