extension ValidationResult {
  /// The agreement of live and simulated trials on one measure.
  package struct Agreement: Hashable, Sendable, Codable {
    package let measure: Measure
    /// The mean of |error| over all cells, or nil if there are no cells.
    package let meanAbsoluteErrorPartsPerMillion: Int64?
    /// The mean of |error| over the cells whose live runs agree with each other, or nil if there are no such cells.
    package let steadyMeanAbsoluteErrorPartsPerMillion: Int64?
    package let steadyCellCount: Int
    package let cellCount: Int
    /// The rank agreement within each workload, over its stacks.
    package let ranks: [Rank]
    package let meanRankPartsPerMillion: Int64?
    /// The mean if figures that differ by at most 5 % count as tied, the share by which `Separation` separates stacks.
    package let meanTiedRankPartsPerMillion: Int64?
    /// The τ_b of the pairs of stacks within a workload that the live runs separate, for all workloads together. It is
    /// nil if they separate no pair, and 0 if the simulation ties all of these pairs.
    package let apartRankPartsPerMillion: Int64?
    package let apartPairCount: Int
    /// The mean |difference| of two halves of the live runs over all cells, which is the lower bound of every error;
    /// nil if there is only one run.
    package let meanHalvesPartsPerMillion: Int64?

    package static let tiePartsPerMillion: Int64 = 50_000

    init(_ measure: Measure, in cells: [Cell]) {
      let figures = cells.compactMap { $0.figure(measure) }
      let steady = figures.filter { !$0.isUnsteady }
      self.measure = measure
      meanAbsoluteErrorPartsPerMillion = Self.mean(figures.map { abs($0.errorPartsPerMillion) })
      steadyMeanAbsoluteErrorPartsPerMillion = Self.mean(steady.map { abs($0.errorPartsPerMillion) })
      steadyCellCount = steady.count
      cellCount = figures.count
      var workloads: [String] = []
      for cell in cells where !workloads.contains(cell.workload) { workloads.append(cell.workload) }
      func tau(_ workload: String, tiePartsPerMillion: Int64) -> Int64? {
        let own = cells.filter { $0.workload == workload }.compactMap { $0.figure(measure) }
        return KendallTau(
          own.map(\.liveMedianNanoseconds), own.map(\.predictedNanoseconds), tiePartsPerMillion: tiePartsPerMillion
        ).partsPerMillion
      }
      ranks = workloads.map { Rank(workload: $0, tauPartsPerMillion: tau($0, tiePartsPerMillion: 0)) }
      meanRankPartsPerMillion = Self.mean(ranks.compactMap(\.tauPartsPerMillion))
      meanTiedRankPartsPerMillion = Self.mean(
        workloads.compactMap { tau($0, tiePartsPerMillion: Self.tiePartsPerMillion) })
      let apart = KendallTau(pooling: workloads.map { Self.tauOfPairsApart(measure, in: cells, on: $0) })
      apartRankPartsPerMillion = apart.partsPerMillion ?? (apart.untied.first > 0 ? 0 : nil)
      apartPairCount = apart.untied.first
      meanHalvesPartsPerMillion = Self.mean(figures.compactMap(\.halvesPartsPerMillion))
    }

    private static func tauOfPairsApart(_ measure: Measure, in cells: [Cell], on workload: String) -> KendallTau {
      let own = cells.filter { $0.workload == workload }.compactMap { $0.figure(measure) }
      return KendallTau(own.map(\.liveMedianNanoseconds), own.map(\.predictedNanoseconds)) { first, second in
        own[first].isApart(from: own[second])
      }
    }

    /// True if the error and the rank agreement reach what the measure requires, or nil if the measure has no aims.
    ///
    /// The rank agreement counts as reached if the live runs separate no pair.
    package var isReached: Bool? {
      guard let aims = measure.errorAims else { return nil }
      return (meanAbsoluteErrorPartsPerMillion ?? .max) <= aims.reachPartsPerMillion
        && (apartRankPartsPerMillion ?? .max) >= Measure.rankAimPartsPerMillion
    }

    private static func mean(_ values: [Int64]) -> Int64? {
      values.isEmpty ? nil : Int64((Double(values.reduce(0, +)) / Double(values.count)).rounded())
    }

    private enum CodingKeys: String, CodingKey {
      case measure
      case meanAbsoluteErrorPartsPerMillion = "mean_absolute_error_ppm"
      case steadyMeanAbsoluteErrorPartsPerMillion = "steady_mean_absolute_error_ppm"
      case steadyCellCount = "steady_cells_count"
      case cellCount = "cells_count"
      case ranks
      case meanRankPartsPerMillion = "mean_tau_b_ppm"
      case meanTiedRankPartsPerMillion = "mean_tau_b_tied_ppm"
      case apartRankPartsPerMillion = "tau_b_apart_ppm"
      case apartPairCount = "pairs_apart_count"
      case meanHalvesPartsPerMillion = "mean_live_halves_ppm"
    }
  }

  /// Kendall's τ_b over the stacks of one workload.
  package struct Rank: Hashable, Sendable, Codable {
    package let workload: String
    package let tauPartsPerMillion: Int64?

    private enum CodingKeys: String, CodingKey {
      case workload
      case tauPartsPerMillion = "tau_b_ppm"
    }
  }

  /// The work that makes up the predicted time of the cell with a measure's largest error.
  package struct Explanation: Hashable, Sendable, Codable {
    package let measure: Measure
    package let workload: String
    package let topology: String
    /// The work of all threads together, the most expensive first.
    package let work: [PricedWork]

    package init(measure: Measure, workload: String, topology: String, work: [PricedWork]) {
      self.measure = measure
      self.workload = workload
      self.topology = topology
      self.work = work.sorted { $0.nanoseconds > $1.nanoseconds }
    }
  }
}
