/// The clock that a published figure was read from.
package enum PublishedClock: String, CaseIterable, Codable, Hashable, Sendable {
  /// Time that passed.
  case wall
  /// CPU time of all threads together.
  case cpu
  /// CPU time of the main thread.
  case mainCPU = "main-cpu"
}

/// The part that a published figure plays for the profile of its device.
package enum PublishedRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// The profile is made to agree with the figure.
  case fitted
  /// The figure checks the profile, which was made without it.
  case predicted
}
