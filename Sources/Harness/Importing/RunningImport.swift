import MachineCore

/// The import of a session, whose lanes are in this process or in another.
protocol RunningImport: Sendable {
  /// The number of payloads that all lanes import.
  var payloadCount: Int { get }
  /// True if every lane has saved its last payload or failed.
  var isDone: Bool { get }
  /// The error that stopped a lane, or nil if no lane has failed.
  var failure: (any Error)? { get }

  /// Schedules the payloads and returns at once. `windowStart` is the intended arrival of payload 0. It may be called
  /// again at rest, and the payloads are then imported again.
  func start(at windowStart: Instant)
  /// Begins to measure what another process uses, and returns at once.
  func openWindow()
  /// Ends measuring and returns the figures of another process. For lanes in this process, all figures are zero.
  func closeWindow() throws -> ImportFigures
  /// Closes the stores that are open in another process. Blocks until that is done.
  func close() throws
}

/// The lanes of an import in this process.
struct ImportLanes: RunningImport {
  let lanes: [LaneImporter]

  var payloadCount: Int { lanes.reduce(0) { $0 + $1.payloadCount } }
  var isDone: Bool { lanes.allSatisfy(\.isDone) }
  var failure: (any Error)? { lanes.lazy.compactMap(\.failure).first }

  func start(at windowStart: Instant) {
    for lane in lanes { lane.start(at: windowStart) }
  }

  func openWindow() {}
  func closeWindow() -> ImportFigures { ImportFigures() }
  func close() {}
}
