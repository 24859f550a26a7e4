/// A comparison of the simulated machine with the live one: every cell of stacks × workloads, and the agreement of the
/// two machines.
package struct ValidationResult: Hashable, Sendable, Codable {
  /// The name of the profile that represents this computer.
  package let profile: String
  package let rows: Int
  package let cells: [Cell]
  /// The agreement of the two machines on each measure that was measured.
  package let agreements: [Agreement]
  package let explanations: [Explanation]
  /// The speed of this computer, or nil if it was not measured.
  package var speed: ValidationSpeed?
  /// The main thread's time by cause, for each cell, and for each stack over all workloads.
  package var causes: [CauseComparison] = []

  /// One stack on one workload.
  package struct Cell: Hashable, Sendable, Codable {
    package let workload: String
    package let topology: String
    /// The measures that are judged, as far as they were measured.
    package let figures: [ValidationFigure]
    /// The other parts of the main queue's busy time, and the frames. Each is a separate median, so they need not add
    /// up. Their floor is that of the main queue's busy time.
    package let parts: [ValidationFigure]

    /// - Parameters:
    ///   - workload: The name of the workload.
    ///   - topology: The name of the stack.
    ///   - live: The measures of each live run, all at the same yardstick.
    ///   - predicted: The measures of the simulation.
    ///   - tick: One refresh interval, in nanoseconds.
    package init(workload: String, topology: String, live: [TrialMeasures], predicted: TrialMeasures, tick: Int64) {
      func figure(_ name: String, floor: Int64) -> ValidationFigure? {
        ValidationFigure(name, live: live.compactMap { $0[name] }, predicted: predicted[name], floor: floor)
      }
      self.workload = workload
      self.topology = topology
      let mainBusy = figure(Measure.mainBusy.rawValue, floor: 0)?.liveMedianNanoseconds ?? 0
      let judged = Measure.allCases.compactMap { figure($0.rawValue, floor: $0.floor(tick: tick, mainBusy: mainBusy)) }
      figures = judged
      let columns = TimeLabel.mainBusy.map { "main_\($0.name)_ns" } + ["frame_busy_ns"]
      parts = columns.filter { column in !judged.contains { $0.measure == column } }
        .compactMap { figure($0, floor: Measure.mainBusy.floor(tick: tick, mainBusy: mainBusy)) }
    }

    package func figure(_ measure: Measure) -> ValidationFigure? {
      figures.first { $0.measure == measure.rawValue }
    }

    /// Returns the figure or part of the column with a name, or nil if it was not measured.
    package func figure(named column: String) -> ValidationFigure? {
      (figures + parts).first { $0.measure == column }
    }
  }

  /// A measure that is judged.
  package enum Measure: String, CaseIterable, Hashable, Sendable, Codable {
    case importTime = "import_ns"
    case mainBusy = "main_busy_ns"
    case mainCPU = "main_cpu_ns"
    case mainWait = "main_wait_ns"
    case stallP99 = "stall_ns_p99"

    /// Returns the smallest denominator of errors, in nanoseconds. It replaces the live figure if that is smaller.
    ///
    /// A stall of less than one tick drops no frame, and on a quiet main queue it is the time that a thread takes to
    /// wake up, so its errors are shares of a tick. The import and the busy times are never zero; the floor of 1 ms
    /// prevents a division by a tiny figure in an import of few rows. Waiting is a part of the main thread's busy time,
    /// and its errors are shares of all of that time.
    func floor(tick: Int64, mainBusy: Int64) -> Int64 {
      switch self {
      case .importTime, .mainBusy, .mainCPU: 1_000_000
      case .mainWait: max(mainBusy, 1_000_000)
      case .stallP99: tick
      }
    }

    /// The mean |error| that a measure must reach, and the one that is aimed at; nil for a measure without aims.
    package var errorAims: (reachPartsPerMillion: Int64, aimPartsPerMillion: Int64)? {
      switch self {
      case .importTime: (100_000, 50_000)
      case .mainBusy, .mainCPU, .mainWait: (150_000, 100_000)
      case .stallP99: nil
      }
    }

    /// The rank agreement that must be reached over the pairs of stacks that the live runs separate.
    package static let rankAimPartsPerMillion: Int64 = 950_000
  }

  /// - Parameters:
  ///   - profile: The name of the profile.
  ///   - rows: The number of rows of each workload.
  ///   - cells: The cells of the result.
  ///   - explanations: The explanations of the cells with the largest errors; see `largestError(of:in:)`.
  package init(profile: String, rows: Int, cells: [Cell], explanations: [Explanation]) {
    self.profile = profile
    self.rows = rows
    self.cells = cells
    agreements = Measure.allCases.map { Agreement($0, in: cells) }.filter { $0.cellCount > 0 }
    self.explanations = explanations
  }

  /// Returns the cell with the largest error of a measure, or nil if no cell has the measure.
  package static func largestError(of measure: Measure, in cells: [Cell]) -> Cell? {
    cells.filter { $0.figure(measure) != nil }.max { left, right in
      error(of: measure, in: left) < error(of: measure, in: right)
    }
  }

  private static func error(of measure: Measure, in cell: Cell) -> Int64 {
    abs(cell.figure(measure)?.errorPartsPerMillion ?? 0)
  }
}
