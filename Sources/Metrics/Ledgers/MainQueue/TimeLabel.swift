import MachineCore

/// The category of an interval of the main thread's time. Each interval has exactly one.
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
  /// The thread is parked in a block, outside frames, in a queue's `sync`, a lock, a connection checkout or the busy
  /// handler.
  case wait
  /// The thread is in a block but in no activity.
  case other
  /// The thread runs no block.
  case idle
  /// The thread does a frame's own work.
  case frame
  /// The thread is in a fault, at any depth, inside a frame.
  case frameFault
  /// The thread is parked inside a frame.
  case frameWait

  /// The label's name in the CSV column `cause` and inside the column names `main_…_ns`.
  package var name: String {
    switch self {
    case .importing: "import"
    case .frameFault: "frame_fault"
    case .frameWait: "frame_wait"
    default: "\(self)"
    }
  }

  /// Creates the label with a name, or returns nil if there is no such label.
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
  /// Returns the label of an activity that begins while `self` applies. `own` is the label of the activity's own time.
  @inline(__always)
  func entering(_ own: TimeLabel) -> TimeLabel {
    switch self {
    case .idle, .wait, .frameWait, .merge, .reset, .frameFault:
      // Waiting takes precedence over everything; all activities inside a merge, a reset or a frame's fault keep its
      // label.
      return self
    case .frame:
      return own == .fault ? .frameFault : .frame
    default:
      return own
    }
  }

  /// The label of a wait that begins while `self` applies. An idle thread that waits stays idle.
  @inline(__always)
  var parked: TimeLabel {
    switch self {
    case .idle: .idle
    case .frame, .frameFault, .frameWait: .frameWait
    default: .wait
    }
  }

  /// Creates the label of an activity's own time: the one that has the activity's title, or `other`.
  package init(of activity: Activity) {
    self = TimeLabel(name: activity.title) ?? .other
  }
}
