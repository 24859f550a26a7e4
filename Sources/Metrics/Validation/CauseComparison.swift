/// The main thread's time for one cause in one stack, live and simulated.
package struct CauseComparison: Hashable, Sendable, Codable {
  /// The workload, or `allWorkloads` for the sum over them.
  package let workload: String
  package let topology: String
  package let cause: String
  package let liveNanoseconds: Int64
  package let simulatedNanoseconds: Int64
  /// The simulated time less the live time.
  package let differenceNanoseconds: Int64
  /// The difference in parts per million of the live time that the main queue was busy.
  package let sharePartsPerMillion: Int64

  /// The workload's name in a row that sums up all workloads.
  package static let allWorkloads = "all"

  /// The causes and the columns of `trials.csv` that hold them, in the order in which they are shown: the parts of the
  /// busy time, their sum, the CPU time in it, and the frames.
  package static let causes: [(name: String, column: String)] =
    [TimeLabel]([
      .decode, .importing, .fetch, .fault, .push, .save, .controller, .merge, .reset, .edit, .wait, .other,
    ]).map { ($0.name, "main_\($0.name)_ns") }
    + [("busy", "main_busy_ns"), ("cpu", "main_cpu_ns"), ("frames", "frame_busy_ns")]

  private init(workload: String, topology: String, cause: String, times: Times, mainBusy: Int64) {
    self.workload = workload
    self.topology = topology
    self.cause = cause
    liveNanoseconds = times.live
    simulatedNanoseconds = times.simulated
    differenceNanoseconds = times.simulated - times.live
    sharePartsPerMillion =
      mainBusy > 0 ? Int64((1e6 * Double(differenceNanoseconds) / Double(mainBusy)).rounded()) : 0
  }

  private struct Times {
    var live: Int64 = 0
    var simulated: Int64 = 0
  }

  private enum CodingKeys: String, CodingKey {
    case workload
    case topology
    case cause
    case liveNanoseconds = "live_ns"
    case simulatedNanoseconds = "simulated_ns"
    case differenceNanoseconds = "difference_ns"
    case sharePartsPerMillion = "main_busy_share_ppm"
  }
}

// MARK: - From cells

extension CauseComparison {
  /// Returns one comparison for each cause of each cell, followed by the sums over the workloads, stack by stack.
  ///
  /// A cause that one of the machines did not measure is left out.
  package static func comparisons(of cells: [ValidationResult.Cell]) -> [CauseComparison] {
    var topologies: [String] = []
    for cell in cells where !topologies.contains(cell.topology) { topologies.append(cell.topology) }
    return cells.flatMap { comparisons(of: [$0], workload: $0.workload, topology: $0.topology) }
      + topologies.flatMap { topology in
        comparisons(of: cells.filter { $0.topology == topology }, workload: allWorkloads, topology: topology)
      }
  }

  private static func comparisons(
    of cells: [ValidationResult.Cell], workload: String, topology: String
  ) -> [CauseComparison] {
    let mainBusy = times("main_busy_ns", in: cells)?.live ?? 0
    return causes.compactMap { cause in
      times(cause.column, in: cells).map {
        CauseComparison(workload: workload, topology: topology, cause: cause.name, times: $0, mainBusy: mainBusy)
      }
    }
  }

  /// Returns the times of a column summed over cells, or nil if no cell has it.
  private static func times(_ column: String, in cells: [ValidationResult.Cell]) -> Times? {
    let figures = cells.compactMap { $0.figure(named: column) }
    guard !figures.isEmpty else { return nil }
    return figures.reduce(into: Times()) { sum, figure in
      sum.live += figure.liveMedianNanoseconds
      sum.simulated += figure.predictedNanoseconds
    }
  }
}
