import MachineCore

/// The activities of the threads of an app.
extension Activity {
  /// The app draws a frame.
  package static let frame = Activity("frame", role: .user)
  /// The app changes an object because of the user.
  package static let edit = Activity("edit", role: .user)
  /// The app resets the contexts of its screens and fetches their rows again.
  package static let reset = Activity("reset", role: .user)
  /// The app decodes the records of a payload.
  package static let decode = Activity("decode", role: .background)
  /// The app imports records.
  package static let importing = Activity("import", role: .background)
  /// The app computes a result from objects, or applies it to them.
  package static let computation = Activity("computation", role: .background)
}
