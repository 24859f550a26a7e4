import Metrics

// MARK: - Stalls

extension TerminalReport {
  private static let stallCount = 5

  /// The longest stalls of the shown trials as sentences.
  var stallText: String {
    let topologies = summaries.compactMap { summary in
      summary.shownTrial.map {
        TopologyRows(topology: summary.identity.topology, variant: summary.identity.variant, rows: $0.stalls)
      }
    }
    let sentences = StallSentence.longest(Self.stallCount, of: topologies)
    guard !sentences.isEmpty else {
      return topologies.isEmpty ? "" : "No frame started more than one interval after its tick.\n"
    }
    let ranges = summaries.compactMap(\.range)
    let trial =
      ranges.contains(where: \.isOfDraws)
      ? ", on the device exactly as its profile says" : ranges.contains { $0.count > 1 } ? " of the median trials" : ""
    return WrappedText.text(["The longest stalls\(trial):"] + sentences.map(\.text), width: width, hanging: 2)
  }
}
