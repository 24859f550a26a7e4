import Foundation
import TextTable

/// The engine's times and peaks of memory at rising sizes.
package struct ScaleFigures: Sendable {
  /// The highest power of the size with which a time may grow.
  package static let exponentBound = 1.1
  package static let name = "scale.csv"

  /// The figures of one kind of work at all sizes.
  private struct Series: Sendable {
    var name: String
    /// The name of the things that the size counts.
    var sizeName: String
    /// The samples with the least time and peak, by rising size.
    var points: [(size: Int, sample: Sample)] = []

    /// The power of the size with which the time grows, or nil if there is only one size.
    var exponent: Double? {
      Growth.exponent(points.map { (Double($0.size), Double($0.sample.nanoseconds)) })
    }

    var isKept: Bool { (exponent ?? 0) <= ScaleFigures.exponentBound }
  }

  private var series: [Series] = []

  package init() {}

  /// Adds a sample. If there is one of the same size, the least time and the least peak of both count.
  package mutating func add(_ sample: Sample, of name: String, sizeName: String, size: Int) {
    let place =
      series.firstIndex { $0.name == name }
      ?? {
        series.append(Series(name: name, sizeName: sizeName))
        return series.count - 1
      }()
    guard let known = series[place].points.firstIndex(where: { $0.size == size }) else {
      series[place].points.append((size, sample))
      return
    }
    let other = series[place].points[known].sample
    series[place].points[known].sample.nanoseconds = min(other.nanoseconds, sample.nanoseconds)
    series[place].points[known].sample.peakBytes = [other.peakBytes, sample.peakBytes].compactMap(\.self).min()
  }

  /// Returns the power of the size with which the time of some work grows.
  package func exponent(of name: String) -> Double? { series.first { $0.name == name }?.exponent }

  /// True if no time grows faster than the bound allows.
  package var keepsBounds: Bool { series.allSatisfy(\.isKept) }

  /// The table as a file: a row for each size, and integers only.
  package var file: String {
    let head = "case,size_of,size,nanoseconds,units,peak_bytes,exponent_milli\r\n"
    return series.reduce(head) { text, series in
      series.points.reduce(text) { text, point in
        let exponent = series.exponent.map { String(Int(($0 * 1_000).rounded())) } ?? ""
        let peak = point.sample.peakBytes.map(String.init) ?? ""
        return text + "\(series.name),\(series.sizeName),\(point.size),\(point.sample.nanoseconds),"
          + "\(point.sample.unitCount),\(peak),\(exponent)\r\n"
      }
    }
  }

  /// A table with a line for each kind of work, and a sentence on the bound.
  package var text: String {
    let table = TextTable<Series> { series in
      let (first, last) = (series.points.first, series.points.last)
      return [
        Column(title: "case", value: series.name, align: .left),
        Column(title: "from", value: first.map { String($0.size) } ?? "", align: .right),
        Column(title: "to", value: last.map { "\($0.size) \(series.sizeName)" } ?? "", align: .left),
        Column(title: "ms", value: Self.milliseconds(first?.sample), align: .right),
        Column(title: "ms ", value: Self.milliseconds(last?.sample), align: .right),
        Column(title: "peak MB", value: Self.megabytes(first?.sample), align: .right),
        Column(title: "peak MB ", value: Self.megabytes(last?.sample), align: .right),
        Column(title: "exponent", value: series.exponent.map { String(format: "%.2f", $0) } ?? "", align: .right),
        Column(title: "", value: series.isKept ? "" : "TOO HIGH", align: .left),
      ]
    }
    let broken = series.filter { !$0.isKept }.map(\.name)
    let bound = String(format: "%.2f", Self.exponentBound)
    return PeerTable.lines(of: table, series)
      + (broken.isEmpty
        ? "\nEvery exponent is at most \(bound).\n"
        : "\nEXPONENTS ABOVE \(bound): \(broken.joined(separator: ", ")).\n")
  }

  private static func milliseconds(_ sample: Sample?) -> String {
    sample.map { String(format: "%.2f", Double($0.nanoseconds) / 1e6) } ?? ""
  }

  private static func megabytes(_ sample: Sample?) -> String {
    sample?.peakBytes.map { String(format: "%.1f", Double($0) / 1e6) } ?? ""
  }
}
