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
    return (["The longest stalls:"] + sentences.flatMap { Self.wrapped($0.text) }).map { $0 + "\n" }.joined()
  }

  /// In lines of at most 100 columns, those after the first moved in.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= 100 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(lines.isEmpty ? "\(word)" : "  \(word)")
      }
    }
    return lines
  }
}
