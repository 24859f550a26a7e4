import MachineCore

/// What an interval of the main thread's time counts as; each has exactly one.
package enum TimeLabel: UInt8, CaseIterable, Sendable, Codable {
  case decode
  case importing
  case fetch
  case fault
  case push
  case save
  case controller
  case edit
  case merge
  case reset
  /// Parked in a queue's `sync`, a lock, a connection checkout or the busy handler, outside frames.
  case wait
  /// In a block, in no activity.
  case other
  /// No block runs.
  case idle
  /// A frame's own work.
  case frame
  /// Inside a frame, in a fault at any depth.
  case frameFault
  /// Parked inside a frame.
  case frameWait

  /// The name in a CSV's column `cause`, and inside `main_…_ns`.
  package var name: String {
    switch self {
    case .importing: "import"
    case .frameFault: "frame_fault"
    case .frameWait: "frame_wait"
    default: "\(self)"
    }
  }

  /// The label with this name.
  package init?(name: String) {
    guard let label = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = label
  }

  /// The parts of `main_busy_ns`.
  package static let mainBusy: [TimeLabel] = [
    .decode, .importing, .fetch, .fault, .push, .save, .controller, .edit, .merge, .reset, .wait, .other,
  ]

  /// The parts of `frame_busy_ns`.
  package static let frameBusy: [TimeLabel] = [.frame, .frameFault, .frameWait]
}

extension TimeLabel {
  /// The label of an activity that begins where `self` holds.
  @inline(__always)
  func entering(_ activity: Activity) -> TimeLabel {
    switch self {
    case .idle, .wait, .frameWait, .merge, .reset, .frameFault:
      // Waiting wins over all; everything inside a merge, a reset or a frame's fault counts as that.
      return self
    case .frame:
      return activity == .fault ? .frameFault : .frame
    default:
      return TimeLabel(of: activity)
    }
  }

  /// The label of a wait that begins where `self` holds.
  @inline(__always)
  var parked: TimeLabel {
    switch self {
    case .idle: .idle
    case .frame, .frameFault, .frameWait: .frameWait
    default: .wait
    }
  }

  private init(of activity: Activity) {
    switch activity {
    case .frame: self = .frame
    case .merge: self = .merge
    case .reset: self = .reset
    case .decode: self = .decode
    case .importing: self = .importing
    case .fetch: self = .fetch
    case .fault: self = .fault
    case .push: self = .push
    case .save: self = .save
    case .controller: self = .controller
    case .edit: self = .edit
    }
  }
}
