import Harness
import Metrics
import Workloads

/// Measurements that others published and `validate --published` runs again.
enum PublishedTable: String, CaseIterable, Sendable {
  case kugler2013 = "kugler-2013"
  case anchorIPhone6 = "anchor-iphone-6"

  /// What one child runs.
  enum Row: Codable, Hashable, Sendable {
    /// An import in two phases through one stack.
    case twoPhaseImport(topology: String, PublishedFigures.SaveBatching)
    /// Inserts and fetches of one context, a phase each.
    case anchor

    /// As messages name it.
    var title: String {
      switch self {
      case .twoPhaseImport(let topology, let batching): "\(topology), a save per \(batching.rawValue)"
      case .anchor: "inserts and fetches"
      }
    }
  }

  /// The device that it was measured on.
  var profileName: String {
    switch self {
    case .kugler2013: "ipad-mini-ios-6"
    case .anchorIPhone6: "iphone-6-ios-11"
    }
  }

  var objectCount: Int {
    switch self {
    case .kugler2013: TwoPhaseWorkload.publishedObjectCount
    case .anchorIPhone6: AnchorTrial.Plan.publishedObjectCount
    }
  }

  var rows: [Row] {
    switch self {
    case .kugler2013: PublishedFigures.kugler2013.map { .twoPhaseImport(topology: $0.topology, $0.batching) }
    case .anchorIPhone6: [.anchor]
    }
  }
}
