import Metrics

// MARK: - Stalls

extension TerminalReport {
  private static let stallCount = 5

  /// The longest stalls of the median trials as sentences.
  var stallText: String {
    let topologies = summaries.compactMap { summary in
      summary.medianTrial.map {
        TopologyRows(topology: summary.identity.topology, variant: summary.identity.variant, rows: $0.stalls)
      }
    }
    let sentences = StallSentence.longest(Self.stallCount, of: topologies)
    guard !sentences.isEmpty else {
      return topologies.isEmpty ? "" : "No frame started more than one interval after its tick.\n"
    }
    return WrappedText.text(["The longest stalls:"] + sentences.map(\.text), hanging: 2)
  }
}
