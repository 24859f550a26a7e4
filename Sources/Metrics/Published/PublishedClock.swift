/// The clock that a published figure was read from.
package enum PublishedClock: String, CaseIterable, Codable, Hashable, Sendable {
  /// Time that passed.
  case wall
  /// CPU time of all threads together.
  case cpu
  /// CPU time of the main thread.
  case mainCPU = "main-cpu"
}
