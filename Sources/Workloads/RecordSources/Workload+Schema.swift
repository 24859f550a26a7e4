extension WorkloadOptions {
  /// Returns the schema of the workload's records. If the workload is a feed, the feed is read and its schema inferred.
  ///
  /// - Throws: `WorkloadError` if a feed or a model cannot be read, or if they do not fit each other.
  package func schema() throws(WorkloadError) -> WorkloadSchema {
    switch workload {
    case .catalog, .catalogReorder: .catalog
    case .flat: .flat
    case .feed(let path): try MappedFeed(options: self, path: path).schema
    case .model: try GroupedSource(modelOf: self).schema
    }
  }
}

extension Workload {
  /// Returns the schema of the workload's records without a model of the user's. If the workload is a feed, the feed is
  /// read and its schema inferred.
  ///
  /// - Throws: `WorkloadError` if a feed cannot be read.
  package func schema() throws(WorkloadError) -> WorkloadSchema {
    try WorkloadOptions(workload: self, rows: nil, existingRows: 0, batchSize: 1, mix: .insertsOnly).schema()
  }
}
