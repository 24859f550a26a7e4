extension Workload {
  /// Returns the schema of the workload's records; a feed is read and its schema inferred.
  ///
  /// - Throws: `WorkloadError` for a feed that cannot be read.
  package func schema() throws(WorkloadError) -> WorkloadSchema {
    switch self {
    case .catalog, .catalogReorder: .catalog
    case .flat: .flat
    case .feed(let path):
      try FeedSchema.infer(from: Feed(path: path), largestAttributeCount: FeedSchema.largestTableWidth).schema
    }
  }
}
