import Metrics

// MARK: - Devices drawn from a profile's ranges

extension TerminalReport {
  /// How sure the order of the stacks is.
  var drawNotes: [String] {
    guard let draws, let hitch = draws.measures.first?.holdingCount else { return [] }
    return ["By total hitch time every two stacks compare as here in \(hitch) of \(draws.drawCount) draws."]
  }
}
