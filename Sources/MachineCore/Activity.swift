/// A kind of work that measurements distinguish on a thread.
///
/// The activities divide the main thread's time into the columns `main_…_ns` and `frame_…_ns`. An activity of any
/// thread may also set the role to which the thread's work is accounted.
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

  /// The name of the activity in results.
  package var title: String { self == .importing ? "import" : "\(self)" }

  /// The role of work inside this activity, or nil if work keeps the role that it has.
  public var role: WorkRole? {
    switch self {
    case .frame, .merge, .reset, .edit: .ui
    case .decode, .importing: .importing
    case .fetch, .fault, .push, .save, .controller: nil
    }
  }
}
