import ContextEngine
import MachineCore
import Metrics
import Workloads

/// The import of a session whose lanes are in a second process.
///
/// Each reported save leads to a check of the store's history, as a notification between processes would.
final class RemoteImport: RunningImport {
  /// The parameters of an import in a second process.
  struct Setting {
    let link: ImportLink
    let machine: any Machine
    let archive: WorkloadArchive
    let storePath: String
    let recordLimit: Int?
    let coordinator: PersistentStoreCoordinator
    let tracker: FreshnessTracker
    /// A closure that is called when a payload has arrived at the instant at which it was due.
    let didArrive: @Sendable (_ payload: Int, _ due: Instant) -> Void
  }

  let payloadCount: Int
  private let link: ImportLink
  private let machine: any Machine
  private let coordinator: PersistentStoreCoordinator
  private let tracker: FreshnessTracker
  private let didArrive: @Sendable (_ payload: Int, _ due: Instant) -> Void
  private let state = Guarded(State())

  private struct State {
    var isOpen = false
    var isImported = false
    var isClosed = false
    var figures: ImportFigures?
  }

  /// The time between two checks for the answer to a command.
  private static let pollInterval = TimeSpan.milliseconds(1)

  /// Has the second process open the store, and blocks until it has done so.
  ///
  /// - Throws: `ImportFailure` if it cannot.
  init(_ setting: Setting) throws(ImportFailure) {
    let payloads = setting.archive.payloads
    payloadCount =
      setting.recordLimit == nil ? payloads.count : Set(payloads.map(\.lane)).count
    link = setting.link
    machine = setting.machine
    coordinator = setting.coordinator
    tracker = setting.tracker
    didArrive = setting.didArrive
    link.attach { [weak self] in self?.receive($0) }
    link.send(.open(store: setting.storePath, recordLimit: setting.recordLimit))
    try wait { $0.isOpen }
  }

  var isDone: Bool { state.withLock { $0.isImported } || failure != nil }

  var failure: (any Error)? { link.failure }

  func start(at windowStart: Instant) {
    state.withLock { $0.isImported = false }
    link.send(.start(at: windowStart))
  }

  func openWindow() {
    state.withLock { $0.figures = nil }
    link.send(.openWindow)
  }

  func closeWindow() throws -> ImportFigures {
    link.send(.closeWindow)
    try wait { $0.figures != nil }
    return state.withLock { $0.figures } ?? ImportFigures()
  }

  func close() throws {
    link.send(.close)
    try wait { $0.isClosed }
  }

  /// Blocks until the condition is true.
  ///
  /// - Throws: The failure of the second process.
  private func wait(until condition: (borrowing State) -> Bool) throws(ImportFailure) {
    while !state.withLock({ condition($0) }) {
      if let failure = link.failure { throw failure }
      machine.wait(until: machine.now + Self.pollInterval)
    }
  }

  private func receive(_ report: ImportReport) {
    switch report {
    case .opened: state.withLock { $0.isOpen = true }
    case .arrived(let payload, let due): didArrive(payload, due)
    case .saved(let payloads, let instant, let history):
      tracker.savedElsewhere(payloads, at: instant, upTo: history)
      coordinator.checkForRemoteChanges()
    case .imported: state.withLock { $0.isImported = true }
    case .measured(let figures): state.withLock { $0.figures = figures }
    case .closed: state.withLock { $0.isClosed = true }
    case .failed: break
    }
  }
}
