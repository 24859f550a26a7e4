import Foundation

/// The growth of the engine's times, of their ratios to raw SQLite's and of the heap of an import.
package struct GrowthFigures: Sendable {
  /// The highest exponent of a time.
  package static let exponentBound = 1.15
  /// The largest part of its ratio to raw that a case may lose.
  package static let ratioLossBound = 0.15
  /// The largest growth of an import's heap, for ten times as many rows, that still counts as flat.
  package static let heapGrowthBound = 0.10

  /// The most bytes that an import of a number of rows had allocated.
  package struct Peak: Hashable, Sendable {
    package var rowCount: Int
    package var bytes: Int

    package init(rowCount: Int, bytes: Int) {
      self.rowCount = rowCount
      self.bytes = bytes
    }
  }

  private let rowCount: Int
  private let small: ComparisonFigures
  private let large: ComparisonFigures
  private let peaks: [Peak]

  /// Creates the figures of a study.
  ///
  /// - Parameters:
  ///   - rowCount: The number of rows of the smaller size.
  ///   - small: The figures over `rowCount` rows.
  ///   - large: The figures over ten times as many rows.
  ///   - peaks: The peaks of the heap, by rising number of rows.
  package init(rowCount: Int, small: ComparisonFigures, large: ComparisonFigures, peaks: [Peak]) {
    self.rowCount = rowCount
    self.small = small
    self.large = large
    self.peaks = peaks
  }

  /// Returns the power of the number of rows with which the engine's time grows.
  package func exponent(of benchmark: BenchmarkCase) -> Double? {
    guard let before = small.medianTime(of: benchmark, by: .stackbench),
      let after = large.medianTime(of: benchmark, by: .stackbench)
    else { return nil }
    return Growth.exponent(rows: (1, 10), times: (before, 10 * after))
  }

  /// Returns the part of the ratio to raw that is lost from the small size to the large one. It is negative if the
  /// ratio rises.
  package func ratioLoss(of benchmark: BenchmarkCase) -> Double? {
    guard let before = small.ratio(of: benchmark, .stackbench, to: .raw),
      let after = large.ratio(of: benchmark, .stackbench, to: .raw)
    else { return nil }
    return 1 - after / before
  }

  /// The part by which the heap's peak rises from the smallest import to the largest.
  package var heapGrowth: Double? {
    guard let first = peaks.first, let last = peaks.last, first.bytes > 0 else { return nil }
    return Double(last.bytes) / Double(first.bytes) - 1
  }

  /// True if all measured bounds are kept.
  package var keepsBounds: Bool {
    GrowthStudy.cases.allSatisfy { benchmark in
      (exponent(of: benchmark) ?? 0) <= Self.exponentBound && (ratioLoss(of: benchmark) ?? 0) <= Self.ratioLossBound
    } && (heapGrowth ?? 0) <= Self.heapGrowthBound
  }

  /// The rows of `growth.csv`: those of `peers.csv`, for both numbers of rows.
  package var file: String {
    let subjects: [Subject] = [.stackbench, .raw]
    let head = PeerFile.text(small, cases: GrowthStudy.cases, subjects: subjects)
    let tail = PeerFile.text(large, cases: GrowthStudy.cases, subjects: subjects)
    return head + tail.split(separator: "\r\n").dropFirst().map { $0 + "\r\n" }.joined()
  }

  // MARK: Text

  package var text: String {
    GrowthStudy.cases.map(line).joined() + heapLine
  }

  private func line(of benchmark: BenchmarkCase) -> String {
    guard let before = small.medianTime(of: benchmark, by: .stackbench),
      let after = large.medianTime(of: benchmark, by: .stackbench), let exponent = exponent(of: benchmark)
    else { return "" }
    var line = String(
      format: "%@: %.1f ns a %@ at %d rows, %.1f at %d; exponent %.2f (≤ %.2f: %@)", benchmark.rawValue, before,
      benchmark.unit, rowCount, after, 10 * rowCount, exponent, Self.exponentBound,
      verdict(exponent <= Self.exponentBound))
    if let earlier = small.ratio(of: benchmark, .stackbench, to: .raw),
      let later = large.ratio(of: benchmark, .stackbench, to: .raw), let loss = ratioLoss(of: benchmark)
    {
      line += String(
        format: "; ÷ raw %.2f, then %.2f: %@ %.0f %% (≤ %.0f %%: %@)", earlier, later,
        loss < 0 ? "rises by" : "falls by",
        100 * abs(loss), 100 * Self.ratioLossBound, verdict(loss <= Self.ratioLossBound))
    }
    return line + "\n"
  }

  private var heapLine: String {
    let parts = peaks.map { String(format: "%d rows %.2f MB", $0.rowCount, Double($0.bytes) / 1_000_000) }
    let flat = heapGrowth.map { $0 <= Self.heapGrowthBound ? "flat" : "NOT FLAT" } ?? ""
    return "Peak heap of an import with save and reset every \(Assignment.unitSize) rows: "
      + "\(parts.joined(separator: ", ")): \(flat).\n"
  }

  private func verdict(_ isKept: Bool) -> String { isKept ? "kept" : "BROKEN" }
}
