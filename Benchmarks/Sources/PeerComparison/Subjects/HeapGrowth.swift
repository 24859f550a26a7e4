/// The growth of the heap while payloads are imported one after another, from the 100th to the last.
final class HeapGrowth {
  private let firstPayload = 100
  private let payloadCount: Int
  private var bytesBefore: Int?
  private(set) var bytesPerPayload: Double?

  /// Creates a measurement, or returns nil if there are too few payloads.
  init?(payloadCount: Int) {
    guard payloadCount > firstPayload else { return nil }
    self.payloadCount = payloadCount
  }

  /// Returns true if the heap has to be measured after a payload.
  func isDue(after payload: Int) -> Bool { payload == firstPayload || payload == payloadCount }

  /// Measures the heap for the first or for the second time. SQLite's own memory is not counted, apart from the unused
  /// ends of the blocks that hold its pages.
  func measure() {
    let bytes = HeapFigures.bytesBesideSQLite
    if let bytesBefore {
      bytesPerPayload = Double(bytes - bytesBefore) / Double(payloadCount - firstPayload)
    } else {
      bytesBefore = bytes
    }
  }
}
