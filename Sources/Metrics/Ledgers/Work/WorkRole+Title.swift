import MachineCore

extension WorkRole {
  /// The name of the role in results and traces. All background work of a trial belongs to its import.
  package var title: String {
    switch self {
    case .background: "import"
    case .user: "ui"
    }
  }
}
