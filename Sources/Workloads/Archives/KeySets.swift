import Foundation

/// Keys of rows, for each entity.
struct KeySets {
  var keys: [Set<RecordKey>]

  var binary: [UInt8] {
    var writer = BinaryWriter()
    for keys in keys {
      writer.append(keys.count)
      for key in keys.sorted() { writer.append(key) }
    }
    return writer.bytes
  }

  init(keys: [Set<RecordKey>]) {
    self.keys = keys
  }

  init(binary: Data, schema: WorkloadSchema, path: String) throws(WorkloadError) {
    let result = binary.withUnsafeBytes { bytes in
      Result { () throws(WorkloadError) in
        var reader = BinaryReader(bytes, path: path)
        var tables: [Set<RecordKey>] = []
        for _ in schema.entities {
          let count = try reader.count()
          var keys = Set<RecordKey>(minimumCapacity: count)
          for _ in 0..<count { keys.insert(try reader.key()) }
          tables.append(keys)
        }
        guard reader.isAtEnd else { throw reader.damage }
        return tables
      }
    }
    keys = try result.get()
  }
}
