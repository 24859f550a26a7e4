/// A measure that a comparison judges, and the change from which on it matters.
///
/// A change matters where it is beyond both floors: the relative one keeps what nobody would notice from being called
/// worse, the absolute one what the instrument cannot tell apart.
package struct PrimaryMeasure: Hashable, Sendable {
  package let measure: Measure
  /// As texts name it.
  package let title: String
  /// Of the first result's median.
  package let relativeFloorPartsPerMillion: Int64
  /// In the unit of the measure.
  package let absoluteFloor: Int64

  private init(_ name: String, _ title: String, relativePartsPerMillion: Int64, absolute: Int64) {
    guard let measure = Measure.named(name), measure.better == .lower else {
      fatalError("\(name) is no measure of which less is better")
    }
    self.measure = measure
    self.title = title
    relativeFloorPartsPerMillion = relativePartsPerMillion
    absoluteFloor = absolute
  }

  /// The eight, in the order in which they are shown; of each, less is better.
  package static let all: [PrimaryMeasure] = [
    // One frame at 60 a second: what a hitch is counted in, and what these times are rounded up to.
    PrimaryMeasure("hitch_total_ns", "total hitch", relativePartsPerMillion: 50_000, absolute: frame),
    // What an idle host may be late by.
    PrimaryMeasure("stall_ns_p99", "stall p99", relativePartsPerMillion: 50_000, absolute: 1_000_000),
    PrimaryMeasure("main_busy_ns", "main busy", relativePartsPerMillion: 30_000, absolute: 1_000_000),
    PrimaryMeasure("import_ns", "import", relativePartsPerMillion: 30_000, absolute: 1_000_000),
    PrimaryMeasure("time_to_visible_ns_p99", "visible p99", relativePartsPerMillion: 50_000, absolute: frame),
    PrimaryMeasure("edit_response_ns_p99", "edit p99", relativePartsPerMillion: 50_000, absolute: frame),
    // The heap is looked at every 5 ms: a peak may be missed by what is allocated in between.
    PrimaryMeasure("heap_peak_bytes", "heap peak", relativePartsPerMillion: 30_000, absolute: 262_144),
    PrimaryMeasure("allocated_bytes", "allocated", relativePartsPerMillion: 20_000, absolute: 262_144),
  ]

  private static let frame: Int64 = 16_666_667

  /// The floor around a median of the first result, in the unit of the measure.
  ///
  /// - Parameter leastRelativePartsPerMillion: what the relative floor is at least.
  package func floor(around median: Int64, leastRelativePartsPerMillion: Int64 = 0) -> Double {
    let relative = Double(max(relativeFloorPartsPerMillion, leastRelativePartsPerMillion)) / 1_000_000
    return max(Double(absoluteFloor), relative * abs(Double(median)))
  }
}
