/// The simulated machine beside the live one: every cell of stacks × workloads, and how well they agree.
package struct ValidationReport: Hashable, Sendable, Codable {
  /// The profile that stood for this computer.
  package let profile: String
  package let rows: Int
  package let cells: [Cell]
  /// How well the machines agree on each measure that was measured.
  package let agreements: [Agreement]
  package let explanations: [Explanation]
  /// The main thread's time by cause, or nil if nobody asked for it.
  package var causes: [CauseComparison]?

  /// One stack on one workload.
  package struct Cell: Hashable, Sendable, Codable {
    package let workload: String
    package let topology: String
    /// The measures that are judged, as far as they were measured.
    package let figures: [ValidationFigure]
    /// The other parts of the main queue's busy time, and the frames. Each is a median of its own, so that they need not
    /// add up.
    package let parts: [ValidationFigure]

    /// - Parameters:
    ///   - live: of each live run.
    ///   - tick: one refresh interval, in nanoseconds.
    package init(workload: String, topology: String, live: [TrialMeasures], predicted: TrialMeasures, tick: Int64) {
      func figure(_ name: String, _ floor: Int64) -> ValidationFigure? {
        ValidationFigure(name, live: live.compactMap { $0[name] }, predicted: predicted[name], floor: floor)
      }
      self.workload = workload
      self.topology = topology
      let mainBusy = figure(Measure.mainBusy.rawValue, 0)?.liveMedianNanoseconds ?? 0
      let judged = Measure.allCases.compactMap { figure($0.rawValue, $0.floor(tick: tick, mainBusy: mainBusy)) }
      figures = judged
      let columns = TimeLabel.mainBusy.map { "main_\($0.name)_ns" } + ["frame_busy_ns"]
      parts = columns.filter { column in !judged.contains { $0.measure == column } }
        .compactMap { figure($0, Measure.mainBusy.floor(tick: tick, mainBusy: mainBusy)) }
    }

    package func figure(_ measure: Measure) -> ValidationFigure? {
      figures.first { $0.measure == measure.rawValue }
    }

    /// Returns the figure or part of the column with that name, or nil if it was not measured.
    package func figure(named column: String) -> ValidationFigure? {
      (figures + parts).first { $0.measure == column }
    }
  }

  /// What is judged.
  package enum Measure: String, CaseIterable, Hashable, Sendable, Codable {
    case importTime = "import_ns"
    case mainBusy = "main_busy_ns"
    case mainCPU = "main_cpu_ns"
    case mainWait = "main_wait_ns"
    case stallP99 = "stall_ns_p99"

    /// What errors are a share of where the live figure is smaller, in nanoseconds.
    ///
    /// A stall of less than one tick drops no frame, and on a quiet main queue it is the time that a thread takes to wake
    /// up: an error counts there as a share of a tick. The others are never nothing; 1 ms keeps them from being divided by
    /// next to nothing in an import of few rows. Waiting is a part of the time that main is busy, and its error a share of
    /// all of that time.
    func floor(tick: Int64, mainBusy: Int64) -> Int64 {
      switch self {
      case .importTime, .mainBusy, .mainCPU: 1_000_000
      case .mainWait: max(mainBusy, 1_000_000)
      case .stallP99: tick
      }
    }

    /// Whether there are aims for it: 13 % is what a well-known simulator of processors reports against hardware.
    package var hasAims: Bool { self != .stallP99 }
    package static let errorAimPartsPerMillion: Int64 = 130_000
    package static let rankAimPartsPerMillion: Int64 = 900_000
  }

  /// - Parameter explanations: of the cells in `largestErrors(of:)`.
  package init(profile: String, rows: Int, cells: [Cell], explanations: [Explanation]) {
    self.profile = profile
    self.rows = rows
    self.cells = cells
    agreements = Measure.allCases.map { Agreement($0, cells) }.filter { $0.cellCount > 0 }
    self.explanations = explanations
  }

  /// The cell with the largest error of a measure; nil without cells.
  package static func largestError(of measure: Measure, in cells: [Cell]) -> Cell? {
    cells.filter { $0.figure(measure) != nil }.max { left, right in
      error(measure, left) < error(measure, right)
    }
  }

  private static func error(_ measure: Measure, _ cell: Cell) -> Int64 {
    abs(cell.figure(measure)?.errorPartsPerMillion ?? 0)
  }
}

// MARK: - Agreement

extension ValidationReport {
  /// How well live and simulated agree on one measure.
  package struct Agreement: Hashable, Sendable, Codable {
    package let measure: Measure
    /// The mean of |error| over all cells; nil without one.
    package let meanAbsoluteErrorPartsPerMillion: Int64?
    /// The same over the cells whose live runs agree with each other.
    package let steadyMeanAbsoluteErrorPartsPerMillion: Int64?
    package let steadyCellCount: Int
    package let cellCount: Int
    /// Within each workload, over its stacks.
    package let ranks: [Rank]
    package let meanRankPartsPerMillion: Int64?
    /// The mean with figures that differ by at most 5 % counted as tied: as `Separation` tells stacks apart.
    package let meanTiedRankPartsPerMillion: Int64?

    package static let tiePartsPerMillion: Int64 = 50_000

    init(_ measure: Measure, _ cells: [Cell]) {
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
    }

    /// Whether both aims are reached; nil of a measure without aims.
    package var isReached: Bool? {
      guard measure.hasAims else { return nil }
      return (meanAbsoluteErrorPartsPerMillion ?? .max) <= Measure.errorAimPartsPerMillion
        && (meanRankPartsPerMillion ?? .min) >= Measure.rankAimPartsPerMillion
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

  /// What the predicted time of the cell with a measure's largest error is made of.
  package struct Explanation: Hashable, Sendable, Codable {
    package let measure: Measure
    package let workload: String
    package let topology: String
    /// Of all threads together, the dearest first.
    package let work: [PricedWork]

    package init(measure: Measure, workload: String, topology: String, work: [PricedWork]) {
      self.measure = measure
      self.workload = workload
      self.topology = topology
      self.work = work.sorted { $0.nanoseconds > $1.nanoseconds }
    }
  }
}
