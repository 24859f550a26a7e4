import MachineCore

/// The times at which a root saves into the store what its children pushed and what was imported in it. The choice
/// depends on what the data is worth.
///
/// It matters only in stacks that have a private root between the UI and the store (`Topology.savingRoot`).
package enum StoreSave: Codable, Hashable, Sendable {
  /// Saves after every push from a child and after every imported unit.
  case immediate
  /// Saves this long after the first unsaved change, and therefore at most once in that time.
  case every(TimeSpan)
  /// Saves once no change has been pushed or imported for this long. Changes after the end of the import do not put the
  /// save off any longer.
  case idle(TimeSpan)
  /// Saves when the import has ended, and from then on after every push.
  case atEnd
}

// MARK: - Wiring

extension Topology {
  /// The name of the private context between the UI context and the store whose saves a run may put off, or nil if the
  /// stack has no such context.
  package var savingRoot: String? {
    guard let top = chain(from: uiContext).last, top.name != uiContext, top.queue == .private else { return nil }
    return top.name
  }
}

// MARK: - Text

extension StoreSave: CustomStringConvertible {
  /// The ways to write the values on the command line; `MS` is a number of milliseconds.
  package static let choices = "immediate, every:MS, idle:MS or at-end"

  /// The value as it is written on the command line.
  package var description: String {
    switch self {
    case .immediate: "immediate"
    case .every(let span): "every:\(SpanText.milliseconds(span))"
    case .idle(let span): "idle:\(SpanText.milliseconds(span))"
    case .atEnd: "at-end"
    }
  }
}
