/// A measure that a comparison judges, with the smallest change that matters.
///
/// A change matters if it exceeds both floors: the relative floor excludes changes that users would not notice, and the
/// absolute floor excludes changes that the instrument cannot resolve.
package struct PrimaryMeasure: Hashable, Sendable {
  package let measure: Measure
  /// The name of the measure in texts.
  package let title: String
  /// The relative floor, in parts per million of the first result's median.
  package let relativeFloorPartsPerMillion: Int64
  /// The absolute floor, in the unit of the measure.
  package let absoluteFloor: Int64

  private init(_ measure: Measure, title: String, relativePartsPerMillion: Int64, absolute: Int64) {
    self.measure = measure
    self.title = title
    relativeFloorPartsPerMillion = relativePartsPerMillion
    absoluteFloor = absolute
  }

  // One frame at 60 Hz: hitches are counted in frames, and the other times of this floor are rounded up to frames.
  package static let hitchTotal = PrimaryMeasure(
    .hitchTotal, title: "total hitch", relativePartsPerMillion: 50_000, absolute: frame)
  // The delay that can occur on an idle host.
  package static let stallP99 = PrimaryMeasure(
    .stallP99, title: "stall p99", relativePartsPerMillion: 50_000, absolute: 1_000_000)
  package static let mainBusy = PrimaryMeasure(
    .mainBusy, title: "main busy", relativePartsPerMillion: 30_000, absolute: 1_000_000)
  package static let importTime = PrimaryMeasure(
    .importTime, title: "import", relativePartsPerMillion: 30_000, absolute: 1_000_000)
  package static let timeToVisibleP99 = PrimaryMeasure(
    .timeToVisibleP99, title: "visible p99", relativePartsPerMillion: 50_000, absolute: frame)
  package static let editResponseP99 = PrimaryMeasure(
    .editResponseP99, title: "edit p99", relativePartsPerMillion: 50_000, absolute: frame)
  // The heap is sampled every 5 ms, so a peak can be missed by the amount allocated between samples.
  package static let heapPeak = PrimaryMeasure(
    .heapPeak, title: "heap peak", relativePartsPerMillion: 30_000, absolute: 262_144)
  package static let allocatedBytes = PrimaryMeasure(
    .allocatedBytes, title: "allocated", relativePartsPerMillion: 20_000, absolute: 262_144)

  /// The eight primary measures, in the order in which they are shown. For each of them, less is better.
  package static let all: [PrimaryMeasure] = [
    .hitchTotal, .stallP99, .mainBusy, .importTime, .timeToVisibleP99, .editResponseP99, .heapPeak, .allocatedBytes,
  ]

  private static let frame: Int64 = 16_666_667

  /// Returns the floor around a median of the first result, in the unit of the measure. The relative floor is at least
  /// `leastRelativePartsPerMillion`.
  package func floor(around median: Int64, leastRelativePartsPerMillion: Int64 = 0) -> Double {
    let relative = Double(max(relativeFloorPartsPerMillion, leastRelativePartsPerMillion)) / 1_000_000
    return max(Double(absoluteFloor), relative * abs(Double(median)))
  }
}
