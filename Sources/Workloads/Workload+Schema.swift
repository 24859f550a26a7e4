extension Workload {
  /// Returns the schema of the workload's records. If the workload is a feed, the feed is read and its schema inferred.
  ///
  /// - Throws: `WorkloadError` if a feed cannot be read or has too many members.
  package func schema() throws(WorkloadError) -> WorkloadSchema {
    switch self {
    case .catalog, .catalogReorder: .catalog
    case .flat: .flat
    case .feed(let path):
      try FeedSchema.infer(from: Feed(path: path), largestAttributeCount: FeedSchema.largestTableWidth).schema
    }
  }
}
