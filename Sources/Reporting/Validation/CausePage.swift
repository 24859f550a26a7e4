import Foundation
import Metrics

/// The sections of a validation by cause: a table for each workload, then one for the sums over all workloads.
struct CausePage: Sendable {
  private let causes: [CauseComparison]

  /// The least share of the busy time, live or simulated, of a cause that is listed.
  private static let listedPartsPerMillion: Int64 = 10_000

  init(_ causes: [CauseComparison]) {
    self.causes = causes
  }

  var sections: [Page.Section] {
    var workloads: [String] = []
    for cause in causes where !workloads.contains(cause.workload) { workloads.append(cause.workload) }
    return [heading] + workloads.map(section)
  }

  private var heading: Page.Section {
    Page.Section([
      .line("The main thread's time by cause, in ms"),
      .line("share % = the difference as a share of the live busy time. Busy is only roughly"),
      .line("the sum of the causes above it, because each live figure is a separate median."),
      .line("Causes below 1 % of the busy time are in \(CauseTable.fileName) only."),
    ])
  }

  private func section(of workload: String) -> Page.Section {
    let own = causes.filter { $0.workload == workload }
    let listed = own.filter { cause in
      let busy = own.first { $0.topology == cause.topology && $0.cause == "busy" }?.liveNanoseconds ?? 0
      let most = max(cause.liveNanoseconds, cause.simulatedNanoseconds)
      return Double(most) * 1e6 >= Double(Self.listedPartsPerMillion) * Double(busy) && most > 0
    }
    let table = PageTable(
      of: listed,
      [
        PageColumn("topology") { $0.topology }, PageColumn("cause") { $0.cause },
        PageColumn("live", .right) { Self.milliseconds($0.liveNanoseconds) },
        PageColumn("simulated", .right) { Self.milliseconds($0.simulatedNanoseconds) },
        PageColumn("difference", .right) { Self.signedMilliseconds($0.differenceNanoseconds) },
        PageColumn("share %", .right) { Self.signedPercent($0.sharePartsPerMillion) },
      ])
    let title = workload == CauseComparison.allWorkloads ? "all workloads together" : workload
    return Page.Section("\(title):", [.table(table)])
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
