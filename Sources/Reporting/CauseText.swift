import Foundation
import Metrics

/// The text of `validate --by-cause`: a table for each workload, then one for the sums over all workloads.
package struct CauseText: Sendable {
  private let causes: [CauseComparison]
  private let usesColour: Bool

  /// A cause is listed where it takes at least this share of the busy time on one of the machines.
  private static let listedPartsPerMillion: Int64 = 10_000

  package init(_ causes: [CauseComparison], usesColour: Bool) {
    self.causes = causes
    self.usesColour = usesColour
  }

  /// Tables of at most 80 columns.
  package var text: String {
    var workloads: [String] = []
    for cause in causes where !workloads.contains(cause.workload) { workloads.append(cause.workload) }
    return ([heading] + workloads.map(table)).joined(separator: "\n")
  }

  private var heading: String {
    """
    The main thread's time by cause, in ms
    share % = the difference as a share of the live busy time. Busy is the sum of
    the causes above it, but roughly: each live figure is a median of its own.
    Causes below 1 % of the busy time are in \(CauseTable.fileName) only.

    """
  }

  private func table(of workload: String) -> String {
    let table = TerminalTable<CauseComparison> { cause in
      [
        TerminalCell(title: "topology", value: cause.topology),
        TerminalCell(title: "cause", value: cause.cause),
        TerminalCell(title: "live", value: Self.milliseconds(cause.liveNanoseconds), align: .right),
        TerminalCell(title: "simulated", value: Self.milliseconds(cause.simulatedNanoseconds), align: .right),
        TerminalCell(title: "difference", value: Self.signedMilliseconds(cause.differenceNanoseconds), align: .right),
        TerminalCell(title: "share %", value: Self.signedPercent(cause.sharePartsPerMillion), align: .right),
      ]
    }
    let own = causes.filter { $0.workload == workload }
    let listed = own.filter { cause in
      let busy = own.first { $0.topology == cause.topology && $0.cause == "busy" }?.liveNanoseconds ?? 0
      let most = max(cause.liveNanoseconds, cause.simulatedNanoseconds)
      return Double(most) * 1e6 >= Double(Self.listedPartsPerMillion) * Double(busy) && most > 0
    }
    let title = workload == CauseComparison.allWorkloads ? "all workloads together" : workload
    return "\(title):\n\n" + table.text(for: listed, usesColour: usesColour)
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    String(format: "%.1f", Double(nanoseconds) / 1_000_000)
  }

  private static func signedMilliseconds(_ nanoseconds: Int64) -> String {
    String(format: "%+.1f", Double(nanoseconds) / 1_000_000)
  }

  private static func signedPercent(_ partsPerMillion: Int64) -> String {
    String(format: "%+.1f", Double(partsPerMillion) / 10_000)
  }
}
