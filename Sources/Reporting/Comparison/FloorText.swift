import Metrics

/// How the floors of a measure read.
package enum FloorText {
  /// As in a list: the measure, then both floors.
  package static func line(of primary: PrimaryMeasure) -> String {
    let title = primary.title + String(repeating: " ", count: max(0, 12 - primary.title.count))
    let percent = MeasureText.percent(Double(primary.relativeFloorPartsPerMillion) / 1_000_000)
    return "\(title) \(percent), \(MeasureText.of(Double(primary.absoluteFloor), primary.measure.unit))"
  }
}
