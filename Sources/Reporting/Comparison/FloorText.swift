import Metrics

/// Words for the floors of a measure.
package enum FloorText {
  /// Returns a line of a list: the measure, then both floors.
  package static func line(of primary: PrimaryMeasure) -> String {
    let title = PageTable.Alignment.left.padded(primary.title, to: 12)
    let percent = MeasureText.percent(Double(primary.relativeFloorPartsPerMillion) / 1_000_000)
    return "\(title) \(percent), \(absolute(of: primary))"
  }

  /// Returns the verdict on a measure, as in `worse`. The verdict `below the floor` has a second part, such as `of 1
  /// ms`, which a table may place on a line below.
  static func verdict(of judged: Comparison.Judged) -> [String] {
    judged.isBelowFloor ? ["below the floor", "of \(floor(of: judged))"] : [judged.verdict.rawValue]
  }

  /// Returns the floor that the change of a measure does not reach: `1 ms`, or `15 %` if that is larger.
  private static func floor(of judged: Comparison.Judged) -> String {
    judged.floor > Double(judged.primary.absoluteFloor)
      ? MeasureText.percent(judged.floor / abs(Double(judged.firstMedian))) : absolute(of: judged.primary)
  }

  /// Returns the absolute floor, without decimals if all of them are zero: `1 ms`, `16.67 ms`.
  private static func absolute(of primary: PrimaryMeasure) -> String {
    let text = MeasureText.of(Double(primary.absoluteFloor), in: primary.measure.unit)
    guard let dot = text.firstIndex(of: "."), let space = text.firstIndex(of: " ") else { return text }
    let isWhole = text[dot..<space].dropFirst().allSatisfy { $0 == "0" }
    return isWhole ? String(text[..<dot] + text[space...]) : text
  }
}
