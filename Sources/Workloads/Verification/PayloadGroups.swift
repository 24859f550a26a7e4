import Foundation

/// Decodes the payloads of an archive, and returns the records that belong together, such as those of a feed's record.
struct PayloadGroups {
  private let archive: WorkloadArchive
  private let decoder: PayloadDecoder
  private var nextPayload = 0
  private var records: ArraySlice<ImportRecord> = []

  init(_ archive: WorkloadArchive) {
    self.archive = archive
    decoder = PayloadDecoder(schema: archive.schema)
  }

  /// Returns the next group, or nil after the last one.
  ///
  /// - Throws: `VerificationError` if a text cannot be decoded.
  mutating func next() throws(VerificationError) -> [ImportRecord]? {
    var group: [ImportRecord] = []
    while true {
      while let record = records.popFirst() {
        group.append(record)
        if !record.isFollowed { return group }
      }
      guard nextPayload < archive.payloads.count else { return group.isEmpty ? nil : group }
      let text = archive.payload(nextPayload)
      nextPayload += 1
      do {
        records = try decoder.decode(text)[...]
      } catch {
        throw VerificationError(message: "\(error)", path: archive.folder.path(percentEncoded: false), code: 0)
      }
    }
  }
}
