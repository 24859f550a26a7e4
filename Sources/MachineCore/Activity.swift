/// What a thread is doing, as far as a measure tells it apart.
///
/// The main thread's time is cut by these into the columns `main_…_ns` and `frame_…_ns`; on every thread an activity
/// may set the role to which work is accounted.
public enum Activity: UInt8, CaseIterable, Sendable {
  case frame
  case merge
  case reset
  case decode
  case importing
  case fetch
  case fault
  case push
  case save
  case controller
  case edit

  /// As results name it.
  package var title: String { self == .importing ? "import" : "\(self)" }

  /// The role that work takes on inside this activity; nil = it keeps the one it has.
  public var role: WorkRole? {
    switch self {
    case .frame, .merge, .reset, .edit: .ui
    case .decode, .importing: .importing
    case .fetch, .fault, .push, .save, .controller: nil
    }
  }
}
