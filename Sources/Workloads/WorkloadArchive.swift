import Foundation

/// A workload in a folder: written once by whoever starts trials, opened by each.
///
/// While a trial runs it costs little heap: texts are memory-mapped, a payload's facts are a few words, and the answer
/// is read when it is asked for.
package struct WorkloadArchive: Sendable {
  package let folder: URL
  /// As asked for, with `rows` as they are: a feed's own size where nothing else was said.
  package let options: WorkloadOptions
  package let schema: WorkloadSchema
  /// In order of arrival.
  package let payloads: [Payload]
  /// The rows that are in the store before the first payload, as texts of the same form, in order.
  package let existing: [Text]

  private let payloadText: Data
  private let existingText: Data
  private let deletedKeys: [Set<RecordKey>]

  /// A stretch of text that `PayloadDecoder` decodes.
  package struct Text: Hashable, Sendable, Codable {
    package var offset: Int
    package var byteCount: Int
    package var recordCount: Int
  }

  /// What is known of a payload without decoding it.
  package struct Payload: Hashable, Sendable, Codable {
    package var text: Text
    package var lane: Int
    /// The entities of its records, cascades included, ascending.
    package var entities: [Int]
    package var recordCount: Int { text.recordCount }
  }

  /// Makes a workload and writes it into a folder, which must exist.
  ///
  /// - Throws: `WorkloadError` for options or a feed that cannot be used, and for a folder that cannot be written.
  package static func write(_ options: WorkloadOptions, to folder: URL) throws(WorkloadError) -> WorkloadArchive {
    fatalError("writing a workload is not implemented yet")
  }

  /// Opens the workload in a folder.
  ///
  /// - Throws: `WorkloadError` if the folder holds none, or not all of one.
  package init(opening folder: URL) throws(WorkloadError) {
    fatalError("opening a workload is not implemented yet")
  }

  /// The bytes of a payload; mapped, not on the heap.
  package func payload(_ index: Int) -> Data {
    bytes(payloads[index].text, of: payloadText)
  }

  /// The bytes of a piece of the existing rows.
  package func existingText(_ index: Int) -> Data {
    bytes(existing[index], of: existingText)
  }

  /// Whether some payload deletes the row, by name or by cascade.
  package func isEverDeleted(_ entity: Int, _ key: RecordKey) -> Bool {
    deletedKeys[entity].contains(key)
  }

  /// Reads the right final state. Call it outside the window: it is what the heap figures must not hold.
  ///
  /// - Throws: `WorkloadError` if the file is not as it was written.
  package func answer() throws(WorkloadError) -> Answer {
    fatalError("the answer is not implemented yet")
  }

  private func bytes(_ text: Text, of data: Data) -> Data {
    data[text.offset..<text.offset + text.byteCount]
  }
}
