/// The simulated machine beside the live one: every cell of stacks × workloads, and how well they agree.
package struct ValidationReport: Hashable, Sendable, Codable {
  /// The profile that stood for this computer.
  package let profile: String
  package let rows: Int
  package let cells: [Cell]
  /// The agreement of the two machines on each measure that was measured.
  package let agreements: [Agreement]
  package let explanations: [Explanation]
  /// The speed of this computer, or nil if it was not measured.
  package var speed: ValidationSpeed?
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
    ///   - live: Each live run, all at the same yardstick.
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

    /// The mean |error| that a measure must reach, and the one that is aimed at; nil of a measure without aims.
    package var errorAims: (reachPartsPerMillion: Int64, aimPartsPerMillion: Int64)? {
      switch self {
      case .importTime: (100_000, 50_000)
      case .mainBusy, .mainCPU, .mainWait: (150_000, 100_000)
      case .stallP99: nil
      }
    }

    /// The rank agreement that must be reached over the pairs of stacks that live runs tell apart.
    package static let rankAimPartsPerMillion: Int64 = 950_000
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
