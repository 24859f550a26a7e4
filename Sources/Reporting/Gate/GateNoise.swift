import Foundation
import Metrics
import OutputFiles

/// The extent to which chance moves each measure of each stack of a run, measured when the baseline was recorded.
///
/// The same devices are simulated again with all CPU costs changed by at most 0.35 %. Such a change is too small to
/// notice, but it shifts the instants at which ticks, saves and merges meet.
package struct GateNoise: Hashable, Sendable {
  /// The noise of one measure, in the measure's unit.
  package struct Figure: Hashable, Sendable {
    /// The standard deviation of the difference on one device.
    package var deviation: Double
    /// The largest mean difference, which no number of devices makes smaller.
    package var shift: Double

    package init(deviation: Double, shift: Double = 0) {
      self.deviation = deviation
      self.shift = shift
    }
  }

  /// The file in a run's folder of the baseline.
  package static let fileName = "floors.csv"
  /// The factors of the CPU costs.
  package static let factors = [1.003_5, 1.001_8, 0.998_2, 0.996_5]

  /// The noise by stack and measure.
  package private(set) var figures: [String: [Measure: Figure]]

  package init(figures: [String: [Measure: Figure]] = [:]) {
    self.figures = figures
  }

  /// Returns the floor of a mean over a number of pairs; without figures the floor is the smallest change that a user
  /// notices.
  package func floor(of stack: String, _ measure: Measure, pairs: Int, noticed: Double) -> GateFloor {
    guard pairs > 0, let figure = figures[stack]?[measure] else { return GateFloor(noticed: noticed) }
    return GateFloor(
      noticed: noticed, standardError: figure.deviation / Double(pairs).squareRoot(), shift: figure.shift)
  }
}

// MARK: - Finding it

extension GateNoise {
  /// Measures the noise between a run and the same run with slightly changed CPU costs, whose results should be equal.
  package init(of results: GateResults, changed: [GateResults]) {
    var figures: [String: [Measure: Figure]] = [:]
    for stack in results.stackNames {
      let names = GateSamples.Names(before: stack, now: stack)
      for measure in Measure.all where !measure.isOfHost {
        let moments = changed.compactMap { other in
          Self.moments(
            of: GateSamples.pairs(of: names, measure: measure, before: results, now: other).map { $0.now - $0.before })
        }
        guard !moments.isEmpty else { continue }
        figures[stack, default: [:]][measure] = Figure(
          deviation: (moments.reduce(0) { $0 + $1.variance } / Double(moments.count)).squareRoot(),
          shift: moments.reduce(0) { max($0, abs($1.mean)) })
      }
    }
    self.init(figures: figures)
  }

  /// Returns the mean and the variance of a sample, or nil for fewer than two values.
  private static func moments(of values: [Double]) -> (mean: Double, variance: Double)? {
    guard values.count > 1 else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
  }
}

// MARK: - The file

extension GateNoise {
  /// The columns of the file. Values are in thousandths of the measure's unit, since the file holds integers only.
  private static let header = [
    "stack", "measure", "mean_thousandths", "noticed_thousandths", "deviation_thousandths", "shift_thousandths",
    "pairs_count", "floor_thousandths",
  ]

  /// Stages the file with the floors of a run.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - results: The results of the run.
  ///   - tolerances: The changes of the measures that a user does not notice.
  ///   - pairs: The number of draws in one look at the run, for which the floors hold.
  /// - Returns: The staged file; call `commit` to give it its name.
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  package func file(
    for path: String, of results: GateResults, tolerances: Tolerances, pairs: Int
  ) throws(FileError) -> AtomicFile {
    var records: [[String]] = []
    for stack in results.stackNames {
      for measure in Measure.all {
        guard let figure = figures[stack]?[measure],
          let mean = GateSamples.mean(of: stack, measure: measure, in: results)
        else { continue }
        let floor = floor(of: stack, measure, pairs: pairs, noticed: tolerances[measure].limit(from: mean))
        records.append(
          [stack, measure.name]
            + [mean, floor.noticed, figure.deviation, figure.shift].map(Self.thousandths)
            + ["\(pairs)", Self.thousandths(floor.value)])
      }
    }
    return try AtomicFile(staging: Data(CSV(header: Self.header, records: records).text.utf8), for: path)
  }

  private static func thousandths(_ value: Double) -> String { "\(Int64(clampingRounded: value * 1_000))" }

  /// Reads the noise of a run from the run's folder in the baseline. If the file is missing, there are no figures.
  ///
  /// - Throws: `FileError` with code `malformed` or `unreadable`.
  package init(reading folder: ResultsFolder) throws(FileError) {
    let path = folder.path(of: Self.fileName)
    guard FileManager.default.fileExists(atPath: path) else {
      self.init()
      return
    }
    var figures: [String: [Measure: Figure]] = [:]
    for record in try CSVRecord.records(of: folder.csv(Self.fileName), required: Self.header, path: path) {
      let stack: String = try record.required("stack", value: record.text("stack"))
      let name: String = try record.required("measure", value: record.text("measure"))
      guard let measure = Measure.named(name) else { throw record.malformed("\(name) is not a measure") }
      figures[stack, default: [:]][measure] = Figure(
        deviation: try Self.value("deviation_thousandths", in: record),
        shift: try Self.value("shift_thousandths", in: record))
    }
    self.init(figures: figures)
  }

  private static func value(_ column: String, in record: CSVRecord) throws(FileError) -> Double {
    let value: Int64 = try record.required(column, value: record.integer(column))
    return Double(value) / 1_000
  }
}
