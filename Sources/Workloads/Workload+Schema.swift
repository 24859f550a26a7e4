import FeedReading

extension WorkloadOptions {
  /// Returns the schema of the workload's records. If the workload is a feed, the feed is read and its schema inferred.
  ///
  /// - Throws: `WorkloadError` if a feed or a model cannot be read, or if they do not fit each other.
  package func schema() throws(WorkloadError) -> WorkloadSchema {
    switch workload {
    case .catalog, .catalogReorder: .catalog
    case .flat: .flat
    case .feed(let path):
      if try isPlainFeed(path) {
        try FeedSchema.infer(from: Feed(path: path)).schema
      } else {
        try MappedFeed(options: self, path: path).schema
      }
    case .model: try GroupedSource(modelOf: self).schema
    }
  }

  /// Returns true if a feed's records are imported as they are, into one entity without relationships.
  func isPlainFeed(_ path: String) throws(WorkloadError) -> Bool {
    guard model == nil, existingRows == 0, mix == .insertsOnly else { return false }
    let flat = try? Feed(path: path)
    if map == nil, let flat, !flat.kinds.values.contains(where: \.objects) { return true }
    // A feed that neither reader accepts gets the message of the reader of plain feeds.
    guard let reader = try? FeedReader(path: path), let structure = try? FeedStructure(reader) else {
      return map == nil
    }
    guard reader.shape.container != .dictionary, reader.shape.envelope.isEmpty || reader.shape == .featureCollection,
      reader.shape.path.isEmpty || reader.shape == .featureCollection
    else { return false }
    guard !structure.kinds[0].members.contains(where: { structure.isEntity($0) }) else { return false }
    if map == nil { return true }
    return try isMapInferred(path)
  }

  /// Returns true if the map gives what is inferred without it.
  private func isMapInferred(_ path: String) throws(WorkloadError) -> Bool {
    let mapped = try MappedFeed(options: self, path: path)
    var options = self
    options.map = nil
    return try mapped.mapping == MappedFeed(options: options, path: path).mapping
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
