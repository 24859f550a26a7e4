import Foundation

/// `peers.csv`: one row a case and subject, integers only, empty where not measured.
package enum PeerFile {
  package static let name = "peers.csv"
  package static let columns = [
    "case", "subject", "rows", "ns_per_row_median", "ns_per_row_min", "ratio_to_raw_ppm", "heap_bytes_per_row",
    "ratio_to_by_hand_ppm",
  ]

  /// Returns the table, whose lines end as RFC 4180 has them. The column `rows` counts the units of the case, which are
  /// properties in `reread`, and changes in merges and in the controller. A ratio is empty if its peer does not run the
  /// case.
  package static func text(_ figures: ComparisonFigures, cases: [BenchmarkCase], subjects: [Subject]) -> String {
    var lines = [columns]
    for benchmark in cases {
      for subject in subjects {
        guard let sample = figures.samples(of: benchmark, by: subject).first else { continue }
        lines.append([
          benchmark.rawValue, subject.rawValue, String(sample.unitCount),
          integer(figures.medianTime(of: benchmark, by: subject)),
          integer(figures.minimumTime(of: benchmark, by: subject)),
          millionths(figures.ratio(of: benchmark, subject, to: .raw)),
          integer(figures.heapBytesPerRow(of: benchmark, by: subject)),
          millionths(figures.ratio(of: benchmark, subject, to: .byHand)),
        ])
      }
    }
    return lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  /// Writes the table into a folder, which is created if it does not exist. The file appears as a whole or not at all.
  package static func write(_ text: String, as name: String = name, to folder: String) throws(PeerError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name), options: .atomic)
    } catch {
      throw PeerError(.unwritable, "\(folder)/\(name) cannot be written: \(error.localizedDescription)")
    }
  }

  private static func millionths(_ ratio: Double?) -> String { integer(ratio.map { $0 * 1_000_000 }) }

  private static func integer(_ value: Double?) -> String {
    value.map { String(Int($0.rounded())) } ?? ""
  }
}
