import CSQLite
import Harness
import SQLitePersistence

extension FileFaults: StoreFaults {
  package func arm(_ fault: FileFault, willOccur: @escaping @Sendable () -> Void) {
    arm(
      fault.kind.effect, at: fault.number, of: fault.kind.calls, lasts: [.full, .readOnly].contains(fault.kind),
      willOccur: willOccur)
  }
}

extension FileFault.Kind {
  /// The outcome of the call, or nil for a power cut, which ends the app and not only a call.
  fileprivate var effect: FileFaults.Effect? {
    switch self {
    case .write: .fails(SQLITE_IOERR | 3 << 8)
    case .tornWrite: .tears(SQLITE_IOERR | 3 << 8)
    case .lostWrite: .drops
    case .full: .fails(SQLITE_FULL)
    case .readOnly: .fails(SQLITE_READONLY)
    case .sync: .fails(SQLITE_IOERR | 4 << 8)
    case .open: .fails(SQLITE_CANTOPEN)
    case .read: .fails(SQLITE_IOERR | 1 << 8)
    case .truncate: .fails(SQLITE_IOERR | 6 << 8)
    case .delete: .fails(SQLITE_IOERR | 10 << 8)
    case .powerCut: nil
    }
  }

  /// The kinds of calls that count.
  fileprivate var calls: [FileFaults.Call] {
    switch self {
    case .write, .tornWrite, .lostWrite, .full: [.write]
    case .readOnly: [.write, .truncate, .delete]
    case .sync: [.sync]
    case .open: [.open]
    case .read: [.read]
    case .truncate: [.truncate]
    case .delete: [.delete]
    case .powerCut: [.write, .sync, .truncate, .delete]
    }
  }
}
