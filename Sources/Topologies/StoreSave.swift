import MachineCore

/// When a root saves to the store what its children pushed and what was imported in it: a decision about the data's worth.
///
/// Concerns the stacks in which a private root stands between the UI and the store (`Topology.savingRoot`).
package enum StoreSave: Codable, Hashable, Sendable {
  /// After every push and every unit.
  case immediate
  /// So long after the first change that is not saved, and therefore at most once in that time.
  case every(Span)
  /// Once nothing has been pushed or imported for so long; what comes after the import's end puts it off no longer.
  case idle(Span)
  /// When the import has ended; from then on after every push.
  case atEnd
}

// MARK: - Wiring

extension Topology {
  /// The private context between the UI context and the store whose saves a run may put off; nil in stacks without one.
  package var savingRoot: String? {
    var top = contexts.first { $0.name == uiContext }
    while let parent = top?.parent { top = contexts.first { $0.name == parent } }
    guard let top, top.name != uiContext, top.queue == .private else { return nil }
    return top.name
  }
}

// MARK: - Text

extension StoreSave: CustomStringConvertible {
  /// How the values are written.
  package static let choices = "immediate, every:MS, idle:MS or at-end"

  /// As on the command line.
  package var description: String {
    switch self {
    case .immediate: "immediate"
    case .every(let span): "every:\(Self.milliseconds(span))"
    case .idle(let span): "idle:\(Self.milliseconds(span))"
    case .atEnd: "at-end"
    }
  }

  /// Milliseconds without digits that say nothing.
  private static func milliseconds(_ span: Span) -> String {
    let (whole, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest != 0 else { return "\(whole)" }
    let digits = String(rest + 1_000_000).dropFirst()
    return "\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
