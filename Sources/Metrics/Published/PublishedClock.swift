/// The clock or the meter that a published figure was read from.
package enum PublishedClock: String, CaseIterable, Codable, Hashable, Sendable {
  /// Time that passed.
  case wall
  /// CPU time of all threads together.
  case cpu
  /// CPU time of the main thread.
  case mainCPU = "main-cpu"
  /// The greatest number of bytes that contexts and row caches held, less those that they held at the start.
  case memory

  /// The unit of the figure's amounts, as names of columns end in it: `ns` or `bytes`.
  package var unit: String { self == .memory ? "bytes" : "ns" }
}
