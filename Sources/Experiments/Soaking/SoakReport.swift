import Foundation
import Metrics
import Reporting

/// The soaks of several stacks in the forms in which they are printed and kept.
package struct SoakReport: Sendable {
  /// The name of the file with all samples.
  package static let fileName = "samples.csv"

  private let subjects: [Soak.Subject]
  private let description: String

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - subjects: The soaks in the order in which they are printed.
  ///   - description: A sentence about what each round contains.
  package init(_ subjects: [Soak.Subject], description: String) {
    self.subjects = subjects
    self.description = description
  }

  /// True if all data are right and no resource grows.
  package var isFlat: Bool { subjects.allSatisfy(\.isFlat) }

  /// The samples of all rounds.
  package var samples: CSV {
    CSV(
      header: [
        "topology", "variant", "round", "elapsed_ns", "heap_bytes", "log_bytes", "descriptors_count", "threads_count",
        "registered_objects_count",
      ],
      records: subjects.flatMap { subject in
        subject.samples.enumerated().map { place, sample in
          [subject.topology, subject.variant ?? "", "\(place + 1)", "\(sample.elapsed.nanoseconds)"]
            + SoakedResource.allCases.map { "\($0.amount(in: sample))" }
        }
      })
  }
}

extension SoakReport: PrintableResult {
  package static let formats: [OutputFormat] = [.text, .markdown, .json]
  package static let titleLevel = 2

  /// The number of rounds to which printed slopes refer.
  private static let roundCount = 1_000.0

  package func pages(for format: OutputFormat) -> [Page] { [page] }

  package var json: any Encodable {
    let subjects = subjects.map { subject -> JSONObject in
      let resources = subject.trends.map { trend -> JSONObject in
        [
          "name": trend.resource.rawValue, "level": trend.trend.level,
          "slope_per_1000_rounds": trend.trend.slope.estimate * Self.roundCount,
          "error_per_1000_rounds": trend.error * Self.roundCount, "probability": trend.trend.probability,
          "is_growing": trend.isGrowing,
        ]
      }
      return [
        "name": subject.name, "rounds_count": subject.samples.count, "problems": subject.problems,
        "resources": resources,
      ]
    }
    let object: JSONObject = ["schema": 1, "subjects": subjects]
    return object
  }

  private var page: Page {
    let growing = subjects.flatMap { subject in
      subject.trends.filter(\.isGrowing).map { "\($0.resource.title) of \(subject.name)" }
    }
    let verdicts: [PageText] =
      isFlat
      ? ["\("The data are right, and no resource grows.", .good)"]
      : growing.map { "\("Grows: \($0).", .bad)" }
        + subjects.flatMap { subject in
          subject.problems.map { "\("\(subject.name): \($0)\($0.hasSuffix(".") ? "" : ".")", .bad)" }
        }
    return Page(sections: [
      Page.Section([.paragraphs([PageText(description)])]), Page.Section([.table(table)]),
      Page.Section([.paragraphs(verdicts)]),
    ])
  }

  private var table: PageTable {
    let columns: [PageColumn<SoakTrend>] = [
      PageColumn("resource") { $0.resource.title },
      PageColumn("level", .right) { CountText.grouped(Int(($0.trend.level / $0.resource.unit).rounded())) },
      PageColumn("per 1,000 rounds", .right) { Self.text($0.trend.slope.estimate, of: $0) },
      PageColumn("error", .right) { "± \(Self.text($0.error, of: $0))" },
      PageColumn(cells: "verdict") { PageTable.Cell($0.isGrowing ? "grows" : "flat", tone: $0.isGrowing ? .bad : nil) },
    ]
    var table = PageTable(of: [], columns)
    for subject in subjects {
      table.rows.append(.title("\(subject.name), \(CountText.of(subject.samples.count, "round"))"))
      table.rows += PageTable(of: subject.trends, columns).rows
    }
    return table
  }

  private static func text(_ slope: Double, of trend: SoakTrend) -> String {
    FigureText.short(slope * roundCount / trend.resource.unit)
  }
}

extension SoakTrend {
  /// The largest distance of the slope from an end of its 95 % interval.
  fileprivate var error: Double {
    let interval = trend.slope.interval ?? trend.slope.estimate...trend.slope.estimate
    return max(interval.upperBound - trend.slope.estimate, trend.slope.estimate - interval.lowerBound)
  }
}

extension SoakedResource {
  fileprivate var title: String {
    switch self {
    case .heap: "heap, kB"
    case .log: "log, kB"
    case .descriptors: "descriptors"
    case .threads: "threads"
    case .registeredObjects: "registered objects"
    }
  }

  /// The amount that is printed as 1.
  fileprivate var unit: Double {
    switch self {
    case .heap, .log: 1_000
    case .descriptors, .threads, .registeredObjects: 1
    }
  }
}
