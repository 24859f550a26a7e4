import Metrics

extension GateChange {
  var beforeText: String { text(before) }
  var nowText: String { text(now) }
  var shareText: String { GateChange.shareText(partsPerMillion) }

  private func text(_ value: Int64) -> String {
    // As it is, whatever a double could hold of it.
    measure.unit == .count ? "\(value)" : MeasureText.of(Double(value), measure.unit)
  }

  /// `from 0` where there is no share.
  static func shareText(_ partsPerMillion: Int64?) -> String {
    partsPerMillion.map { MeasureText.share(Double($0) / 1_000_000) } ?? "from 0"
  }
}
