/// The bytes that one object with its values may take: itself, its registry entry, its snapshot and its row in the row
/// cache.
package enum HeapTarget {
  /// The largest number of bytes.
  package static let floor = 280.0
  package static let aim = 240.0

  /// Returns the grade of the engine's objects, fetched and read, or nil if they were not measured.
  package static func grade(_ figures: ComparisonFigures) -> Verdict.Grade? {
    figures.heapBytesPerRow(of: .fetch, by: .stackbench).map {
      $0 <= aim ? .aimMet : ($0 <= floor ? .floorMet : .missed)
    }
  }
}

/// The bytes by which the engine's heap may grow with each payload that is imported, beyond those by which raw SQLite's
/// grows. The object of one row that is not released takes eight times as many.
package enum PayloadHeapTarget {
  package static let floor = 32.0

  /// Returns true if the heap stays flat, or nil if its growth was not measured.
  package static func isKept(_ figures: ComparisonFigures) -> Bool? {
    guard let engine = figures.heapBytesPerPayload(by: .stackbench), let raw = figures.heapBytesPerPayload(by: .raw)
    else { return nil }
    return engine - raw <= floor
  }
}

/// The result of the engine in a case, compared with one of its targets.
package struct Verdict: Hashable, Sendable {
  package enum Grade: String, Sendable {
    case aimMet = "aim met"
    case floorMet = "floor met"
    case missed = "FLOOR MISSED"
  }

  package var benchmark: BenchmarkCase
  package var target: Target
  /// The peer's time divided by the engine's, or nil if one of the two did not run.
  package var ratio: Double?

  /// Returns the verdicts on a case, in the order of its targets.
  package static func all(_ benchmark: BenchmarkCase, _ figures: ComparisonFigures) -> [Verdict] {
    benchmark.targets.map { target in
      Verdict(
        benchmark: benchmark, target: target, ratio: figures.ratio(of: benchmark, .stackbench, to: target.peer))
    }
  }

  /// The grade of the ratio, or nil if it was not measured.
  package var grade: Grade? {
    ratio.map { ratio in
      ratio < target.floor ? .missed : (target.aim.map { ratio >= $0 } ?? false) ? .aimMet : .floorMet
    }
  }

  /// True if an aim is missed whose floor is met.
  package var missesAim: Bool { grade == .floorMet && target.aim != nil }
}
