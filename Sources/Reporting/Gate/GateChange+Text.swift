import Metrics

extension GateChange {
  var beforeText: String { text(before) }
  var nowText: String { text(now) }
  var shareText: String { GateChange.shareText(share) }
  var noticedText: String { text(floor.noticed) }
  var chanceText: String { text(floor.chance) }

  /// The change as part of a sentence: `import_ns 6000 ms -> 6500 ms (+8.33 %)`.
  var sentence: String { "\(measure.name) \(beforeText) -> \(nowText) (\(shareText))" }

  private func text(_ value: Double) -> String { GateChange.text(value, in: measure.unit) }

  /// Returns a mean as text. A count has two decimal places unless it is whole, since a mean of counts rarely is.
  static func text(_ value: Double, in unit: Measure.Unit) -> String {
    unit == .count && value != value.rounded() ? MeasureText.decimal(value) : MeasureText.of(value, in: unit)
  }

  /// Returns a share as text, or `from 0` if it is nil.
  static func shareText(_ share: Double?) -> String {
    share.map(MeasureText.share) ?? "from 0"
  }
}
