import Foundation
import Metrics

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

  /// Tables of at most 80 columns.
  package var text: String {
    let table = TerminalTable<AnchorComparison.Row> { row in
      [
        TerminalCell(title: "objects", value: Self.title(of: row.phase), align: .left),
        TerminalCell(
          title: "published CPU s", value: Self.seconds(row.publishedCPUMilliseconds * 1_000_000), align: .right),
        TerminalCell(
          title: "on main s", value: row.publishedMainCPUMilliseconds.map { Self.seconds($0 * 1_000_000) } ?? "-",
          align: .right),
        TerminalCell(title: "here CPU s", value: Self.seconds(row.cpuNanoseconds), align: .right),
        TerminalCell(title: "on main s", value: Self.seconds(row.mainCPUNanoseconds), align: .right),
        TerminalCell(title: "role", value: row.role.rawValue, align: .left),
      ]
    }
    return "One main-queue context on an iPhone 6, published and on profile \(profile)\n\n"
      + table.text(for: comparison.rows, usesColour: usesColour) + "\n"
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
