/// Finds the places of the records and the kinds of their members' values in the first pass over a feed's text.
struct FeedScan {
  /// The place of the first byte of each record.
  var offsets: [Int] = []
  var kinds: [MemberName: MemberKinds] = [:]
  /// A description of the first value that is not a record, or nil if all values are records.
  var flaw: String?

  /// The facts about a document apart from its records.
  struct Document {
    /// True if the document is an object, which must be a FeatureCollection.
    var isCollection = false
    var flaw: String?
  }
}

// MARK: - Reading

extension FeedScan {
  /// Reads a list of objects or a FeatureCollection.
  mutating func readDocument(_ reader: inout JSONReader) throws(JSONReadingError) -> Document {
    switch reader.next {
    case UInt8(ascii: "["):
      try reader.readElements { (reader: inout JSONReader, index: Int) throws(JSONReadingError) in
        try readElement(&reader, index)
      }
      return Document()
    case UInt8(ascii: "{"): return try readCollection(&reader)
    default: return Document(flaw: "the feed is \(try reader.value().kindName); use a list of objects")
    }
  }

  private mutating func readCollection(_ reader: inout JSONReader) throws(JSONReadingError) -> Document {
    var isCollection = false
    var hasFeatures = false
    try reader.readMembers { (reader: inout JSONReader, name: MemberName) throws(JSONReadingError) in
      if name == "features", reader.next == UInt8(ascii: "[") {
        hasFeatures = true
        try reader.readElements { (reader: inout JSONReader, index: Int) throws(JSONReadingError) in
          try readFeature(&reader, index)
        }
      } else if case .string("FeatureCollection") = try reader.value(), name == "type" {
        isCollection = true
      }
    }
    guard isCollection else {
      return Document(
        isCollection: true,
        flaw: "the feed is one object; use a list of objects, or a GeoJSON FeatureCollection")
    }
    return Document(
      isCollection: true, flaw: hasFeatures ? nil : "the FeatureCollection has no list called features")
  }

  private mutating func readElement(_ reader: inout JSONReader, _ index: Int) throws(JSONReadingError) {
    guard try isObject(&reader, "record", index) else { return }
    let offset = reader.position
    try add(try reader.members(), at: offset)
  }

  private mutating func readFeature(_ reader: inout JSONReader, _ index: Int) throws(JSONReadingError) {
    guard try isObject(&reader, "feature", index) else { return }
    let offset = reader.position
    let feature = try reader.feature()
    if let kind = feature.wrongProperties {
      flaw = flaw ?? "the properties of feature \(index) (the first is 0) are \(kind); use an object"
    }
    try add(feature.members, at: offset)
  }

  /// Returns true if an object comes next. Any other value is skipped and noted as a flaw.
  private mutating func isObject(
    _ reader: inout JSONReader, _ what: String, _ index: Int
  ) throws(JSONReadingError) -> Bool {
    if reader.next == UInt8(ascii: "{") { return true }
    let kind = try reader.value().kindName
    flaw = flaw ?? "\(what) \(index) (the first is 0) is \(kind); every \(what) must be an object"
    return false
  }

  /// Reads the object on a line. `offset` is the place of the line's first byte in the feed.
  mutating func readLine(_ reader: inout JSONReader, offset: Int) throws(JSONReadingError) {
    guard reader.next == UInt8(ascii: "{") else {
      flaw = "the line is \(try reader.value().kindName); every line must be an object"
      return
    }
    let start = offset + reader.position
    try add(try reader.members(), at: start, column: reader.position)
  }

  /// Adds a record at a place in the feed. `column` is the place in the text that is being read, if that text is not
  /// the whole feed. Throws an error if the feed has too many records or different members.
  private mutating func add(
    _ record: [MemberName: JSONValue], at offset: Int, column: Int? = nil
  ) throws(JSONReadingError) {
    offsets.append(offset)
    guard offsets.count <= Feed.largestRecordCount else {
      throw JSONReadingError(
        "the feed holds more than \(Feed.largestRecordCount) records; use fewer, because their rows are held in memory",
        isSyntax: false, offset: column ?? offset)
    }
    for (name, value) in record { kinds[name, default: MemberKinds()].add(value) }
    guard kinds.count <= JSONReader.largestMemberCount else {
      throw JSONReadingError(
        "the records have more than \(JSONReader.largestMemberCount) different members; use at most "
          + "\(FeedSchema.largestWidth)", isSyntax: false, offset: column ?? offset)
    }
  }
}

extension JSONReader {
  /// Reads a feature of a GeoJSON collection and lifts its properties.
  ///
  /// - Returns: The members, and the kind of value of `properties` if it is neither an object nor null.
  mutating func feature() throws(JSONReadingError) -> (members: [MemberName: JSONValue], wrongProperties: String?) {
    var members: [MemberName: JSONValue] = [:]
    var properties: [MemberName: JSONValue] = [:]
    var wrong: String?
    try readMembers { (reader: inout JSONReader, name: MemberName) throws(JSONReadingError) in
      guard name == "properties" else {
        let value = try reader.value()
        if name != "type" { members[name] = value }
        return
      }
      if reader.next == UInt8(ascii: "{") {
        properties = try reader.members()
      } else {
        let value = try reader.value()
        if case .null = value { return }
        wrong = value.kindName
      }
    }
    return (members.merging(properties) { $1 }, wrong)
  }
}

extension JSONValue {
  /// The kind of the value, with its article.
  var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .double: "a number"
    case .string: "a string"
    case .nested(_, let isList): isList ? "a list" : "an object"
    }
  }
}

// MARK: - Kinds

/// The kinds of values that a member has in the records of a feed.
struct MemberKinds {
  private var booleans = false
  private var integers = false
  private var doubles = false
  private var others = false
  /// True if some value is an object, or a list that begins with one.
  private(set) var objects = false
  /// The number of records in which the member is present and not null.
  private(set) var presentCount = 0

  mutating func add(_ value: JSONValue) {
    presentCount += 1
    switch value {
    case .null: presentCount -= 1
    case .boolean: booleans = true
    case .integer: integers = true
    case .double: doubles = true
    case .string: others = true
    case .nested(let text, let isList):
      others = true
      if !isList || text.hasPrefix("[{") { objects = true }
    }
  }

  /// The type of an attribute that holds all these values.
  var type: WorkloadSchema.AttributeType {
    switch (booleans, integers, doubles, others) {
    case (true, false, false, false): .boolean
    case (false, true, false, false): .integer64
    case (false, _, true, false): .double
    default: .string
    }
  }
}
