import Foundation

extension Answer {
  /// The rows of a table, in memory or in a file that is mapped into memory. A row of a file is read at each access.
  package struct Rows: RandomAccessCollection, Sendable {
    private enum Form: Sendable {
      case memory([Row])
      case file(StoredRows)
    }

    private let form: Form
    package let endIndex: Int
    package var startIndex: Int { 0 }

    package init(_ rows: [Row]) {
      form = .memory(rows)
      endIndex = rows.count
    }

    init(_ rows: StoredRows) {
      form = .file(rows)
      endIndex = rows.count
    }

    /// True if the rows are in a file.
    var areInFile: Bool {
      if case .file = form { true } else { false }
    }

    package subscript(position: Int) -> Row {
      switch form {
      case .memory(let rows): rows[position]
      case .file(let rows): rows.row(position)
      }
    }

    /// Returns the key of a row without reading its values.
    func key(_ position: Int) -> RecordKey {
      switch form {
      case .memory(let rows): rows[position].key
      case .file(let rows): rows.key(position)
      }
    }

    /// Returns the position of the row with a key, or nil if there is no such row. The keys must be ascending.
    ///
    /// Complexity: O(log n).
    func place(of key: RecordKey) -> Int? {
      var low = 0
      var high = endIndex
      while low < high {
        let middle = (low + high) / 2
        if self.key(middle) < key { low = middle + 1 } else { high = middle }
      }
      return low < endIndex && self.key(low) == key ? low : nil
    }
  }
}

extension Answer.Rows: Equatable {
  package static func == (left: Answer.Rows, right: Answer.Rows) -> Bool { left.elementsEqual(right) }
}

/// The rows of one entity in a file that `AnswerWriter` wrote.
struct StoredRows: Sendable {
  private let file: MappedFile
  /// The place in the file of the first row's place.
  private let firstPlace: Int
  let count: Int
  private let entity: WorkloadSchema.Entity
  private let path: String

  init(_ file: MappedFile, firstPlace: Int, count: Int, of entity: WorkloadSchema.Entity, path: String) {
    self.file = file
    self.firstPlace = firstPlace
    self.count = count
    self.entity = entity
    self.path = path
  }

  func row(_ position: Int) -> Answer.Row {
    read(position) { (reader) throws(WorkloadError) in try reader.row(of: entity) }
  }

  func key(_ position: Int) -> RecordKey {
    read(position) { (reader) throws(WorkloadError) in try reader.key() }
  }

  private func read<Value>(
    _ position: Int, _ value: (inout BinaryReader) throws(WorkloadError) -> Value
  ) -> Value {
    // A row is in one page, or in few.
    file.willRead(4_096)
    return file.data.withUnsafeBytes { bytes in
      let place = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: firstPlace + position * 8, as: Int64.self))
      var reader = BinaryReader(bytes, path: path, at: Int(place))
      do throws(WorkloadError) {
        return try value(&reader)
      } catch {
        // The file was complete when it was opened.
        fatalError("\(error)")
      }
    }
  }
}

extension BinaryReader {
  mutating func row(of entity: WorkloadSchema.Entity) throws(WorkloadError) -> Answer.Row {
    let key = try key()
    var values: [FieldValue] = []
    values.reserveCapacity(entity.attributes.count)
    for _ in entity.attributes { values.append(try value()) }
    var links: [RecordKey?] = []
    for _ in entity.links { links.append(try keyIfPresent()) }
    var lists: [[RecordKey]] = []
    for _ in entity.lists { lists.append(try keys()) }
    return Answer.Row(key: key, values: values, links: links, lists: lists, edited: try value())
  }
}
