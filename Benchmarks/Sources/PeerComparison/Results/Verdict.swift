/// What one object with its values may take: itself, its registry entry, its snapshot and its row in the row cache.
package enum HeapTarget {
  /// Bytes.
  package static let floor = 320.0
  package static let aim = 260.0

  /// How the engine's objects, fetched and read, are held against that; nil where they were not measured.
  package static func grade(_ figures: ComparisonFigures) -> Verdict.Grade? {
    figures.heapBytesPerRow(of: .fetch, by: .stackbench).map {
      $0 <= aim ? .aimMet : ($0 <= floor ? .floorMet : .missed)
    }
  }
}

/// What the engine reached in a case, held against its target.
package struct Verdict: Hashable, Sendable {
  package enum Grade: String, Sendable {
    case aimMet = "aim met"
    case floorMet = "floor met"
    case missed = "FLOOR MISSED"
  }

  package var benchmark: BenchmarkCase
  /// Against raw SQLite, or in time; nil where it was not measured.
  package var grade: Grade?
  /// Against GRDB's records, where there is a floor and both ran.
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

  /// Whether no floor is missed, as far as it was measured.
  package var keepsFloors: Bool { grade != .missed && reachesRecordsFloor != false }

  /// Whether there is something to explain: a budget of the time is printed then.
  package var missesSomething: Bool { !keepsFloors || grade == .floorMet }
}
