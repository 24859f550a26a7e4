/// The bytes that one object with its values may take: itself, its registry entry, its snapshot and its row in the row
/// cache.
package enum HeapTarget {
  /// The largest number of bytes.
  package static let floor = 320.0
  package static let aim = 260.0

  /// Returns the grade of the engine's objects, fetched and read, or nil if they were not measured.
  package static func grade(_ figures: ComparisonFigures) -> Verdict.Grade? {
    figures.heapBytesPerRow(of: .fetch, by: .stackbench).map {
      $0 <= aim ? .aimMet : ($0 <= floor ? .floorMet : .missed)
    }
  }
}

/// The result of the engine in a case, compared with its target.
package struct Verdict: Hashable, Sendable {
  package enum Grade: String, Sendable {
    case aimMet = "aim met"
    case floorMet = "floor met"
    case missed = "FLOOR MISSED"
  }

  package var benchmark: BenchmarkCase
  /// The grade against raw SQLite or in time, or nil if the case was not measured.
  package var grade: Grade?
  /// True if the floor against GRDB's records is reached, or nil if the case has no such floor or one of the two did
  /// not run.
  package var reachesRecordsFloor: Bool?

  package init(_ benchmark: BenchmarkCase, _ figures: ComparisonFigures) {
    self.benchmark = benchmark
    switch benchmark.target {
    case .ratio(let floor, let aim, let againstRecords):
      grade = figures.ratio(of: benchmark, .stackbench, to: .raw).map {
        $0 >= aim ? .aimMet : ($0 >= floor ? .floorMet : .missed)
      }
      if let againstRecords, let ratio = figures.ratio(of: benchmark, .stackbench, to: .grdbRecords) {
        reachesRecordsFloor = ratio >= againstRecords
      }
    case .time(let floor, let aim):
      grade = figures.medianTime(of: benchmark, by: .stackbench).map {
        $0 <= aim ? .aimMet : ($0 <= floor ? .floorMet : .missed)
      }
    }
  }

  /// True if all measured floors are kept.
  package var keepsFloors: Bool { grade != .missed && reachesRecordsFloor != false }

  /// True if a floor or an aim is missed, so that a budget of the time is printed.
  package var missesSomething: Bool { !keepsFloors || grade == .floorMet }
}
