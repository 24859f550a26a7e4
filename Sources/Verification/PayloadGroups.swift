import Foundation
import Workloads

/// Decodes the texts of an archive, and returns the records that belong together, such as those of a feed's record.
struct PayloadGroups {
  private let archive: WorkloadArchive
  private let decoder: PayloadDecoder
  private var nextText = 0
  private var records: ArraySlice<ImportRecord> = []

  init(_ archive: WorkloadArchive) {
    self.archive = archive
    decoder = PayloadDecoder(schema: archive.schema)
  }

  /// Returns the next group, or nil after the last one. Existing rows come before those of payloads.
  ///
  /// - Throws: `VerificationError` if a text cannot be decoded.
  mutating func next() throws(VerificationError) -> [ImportRecord]? {
    var group: [ImportRecord] = []
    while true {
      while let record = records.popFirst() {
        group.append(record)
        if !record.isFollowed { return group }
      }
      guard let text = text() else { return group.isEmpty ? nil : group }
      do {
        records = try decoder.decode(text)[...]
      } catch {
        throw VerificationError(message: "\(error)", path: archive.folder.path(percentEncoded: false), code: 0)
      }
    }
  }

  private mutating func text() -> Data? {
    defer { nextText += 1 }
    if nextText < archive.existing.count { return archive.existingText(nextText) }
    let payload = nextText - archive.existing.count
    return payload < archive.payloads.count ? archive.payload(payload) : nil
  }
}
