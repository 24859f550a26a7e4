/// The numbers of a workload's records by what they do, and the length of the list that screens show first.
package struct WorkloadCounts: Hashable, Sendable, Codable {
  package var insertedCount: Int
  package var updatedCount: Int
  package var deletedCount: Int
  /// The number of rows that the list of the first screen has before the first payload.
  package var listLength: Int

  package init(insertedCount: Int = 0, updatedCount: Int = 0, deletedCount: Int = 0, listLength: Int = 0) {
    self.insertedCount = insertedCount
    self.updatedCount = updatedCount
    self.deletedCount = deletedCount
    self.listLength = listLength
  }
}
