import Foundation
import Metrics
import TextTable

/// What `validate --published anchor-iphone-6` prints: published beside run, phase by phase.
///
/// A pure function of its values.
package struct AnchorReport: Sendable {
  private let comparison: AnchorComparison
  private let profile: String
  private let usesColour: Bool

  /// - Parameter profile: what the phases ran on.
  package init(_ comparison: AnchorComparison, profile: String, usesColour: Bool) {
    self.comparison = comparison
    self.profile = profile
    self.usesColour = usesColour
  }

  /// Lines of at most 100 columns.
  package var text: String {
    let table = TextTable<AnchorComparison.Row> { row in
      [
        Column(title: "objects", value: Self.title(of: row.phase), align: .left),
        Column(title: "published CPU s", value: Self.seconds(row.publishedCPUMilliseconds * 1_000_000), align: .right),
        Column(title: "here CPU s", value: Self.seconds(row.cpuNanoseconds), align: .right),
        Column(
          title: "published on main s",
          value: row.publishedMainCPUMilliseconds.map { Self.seconds($0 * 1_000_000) } ?? "-", align: .right),
        Column(title: "here on main s", value: Self.seconds(row.mainCPUNanoseconds), align: .right),
        Column(title: "role", value: row.role.rawValue, align: .left),
      ]
    }
    let style: any TextTableStyle.Type = usesColour ? ColouredStyle.self : Simple.self
    let lines = (table.string(for: comparison.rows, style: style) ?? "").split(separator: "\n").map { line in
      String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }
    return "One main-queue context on an iPhone 6, published and on profile \(profile)\n\n\(lines.joined())\n"
      + "fitted = the profile's CPU scale was made to agree with both rows' CPU.\n"
  }

  private static func title(of phase: AnchorComparison.Phase) -> String {
    switch phase {
    case .inserts: "inserted, a save each"
    case .fetches: "fetched one by one"
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    String(format: "%.1f", Double(nanoseconds) / 1_000_000_000)
  }
}
