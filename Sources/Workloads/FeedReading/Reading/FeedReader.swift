/// A reader of a feed's records, one at a time.
///
/// The file is read in pieces, so that the memory that a reader takes depends on the largest record and not on the
/// file. The text must follow RFC 8259 exactly. Strings keep every scalar, and the members of an object must have
/// different names. A number must not be outside the range of doubles, while integers of any size keep their text.
///
/// A reader is used by one thread at a time.
public final class FeedReader {
  /// The path of the file.
  public let path: String
  /// The places and the form of the records.
  public let shape: FeedShape
  /// The first paths of further lists and dictionaries of objects, which are not read, with points between names.
  public let furtherPaths: [String]
  /// The number of further lists and dictionaries of objects, which are not read.
  public let furtherCount: Int
  package let cursor: FeedCursor
  private let buffer: RecordBuffer
  /// The first members of a dictionary that were found not to be objects, and that are left out.
  public private(set) var leftOut: [String] = []
  private var state = State.atStart
  private var nextIndex = 0

  private static let largestLeftOutCount = 4

  private enum State {
    case atStart
    case inRecords
    case atEnd
  }

  /// Opens a feed.
  ///
  /// The file must be a regular file, because its shape is detected by reading at least the beginning of it twice. If
  /// its outermost value is an object, the whole file is read twice.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - shape: The places and the form of the records, or nil to detect them.
  ///   - limits: The limits of records.
  /// - Throws: `FeedError` if the file cannot be read, or if its shape cannot be detected.
  public init(path: String, shape: FeedShape? = nil, limits: FeedLimits = FeedLimits()) throws(FeedError) {
    self.path = path
    cursor = try FeedCursor(path: path, limits: limits)
    if let shape {
      self.shape = shape
      furtherPaths = []
      furtherCount = 0
    } else {
      let (found, survey) = try ShapeDetection.detect(cursor)
      self.shape = found
      furtherPaths = survey.further.map { FeedShape(.list, path: $0).pathText }
      furtherCount = survey.furtherCount
    }
    buffer = RecordBuffer(cursor, shape: self.shape)
  }

  /// Creates a reader that uses the cursor of another reading of the same file.
  init(_ cursor: FeedCursor, shape: FeedShape) {
    path = cursor.window.path
    self.cursor = cursor
    self.shape = shape
    furtherPaths = []
    furtherCount = 0
    buffer = RecordBuffer(cursor, shape: shape)
  }

  /// The paths of further containers of objects, which are not read, as a list in words, or nil without such containers.
  public var furtherContainers: String? {
    if furtherCount == 0 { return nil }
    let rest = furtherCount - furtherPaths.count
    return furtherPaths.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Finds the identity of a member's name, by which values are looked up fastest.
  ///
  /// - Parameter name: The name of the member. Records need not have it.
  /// - Returns: The identity, or nil if more than `FeedLimits.maxMemberCount` names were asked for or read.
  public func memberID(of name: String) -> FeedMemberID? {
    var name = name
    guard let number = name.withUTF8({ buffer.names.number(of: $0) }) else { return nil }
    return FeedMemberID(number: number, names: ObjectIdentifier(buffer.names))
  }

  /// Finds the name with an identity that this reader has given.
  ///
  /// - Parameter member: The identity.
  /// - Returns: The name.
  public func name(of member: FeedMemberID) -> String { buffer.names.name(member.number) }

  /// Moves to the place before the first record. The next call of `next()` returns the first record again.
  public func rewind() {
    buffer.invalidate()
    state = .atStart
  }

  /// Calls a function with each record, from the first to the last.
  ///
  /// - Parameter body: A function of the record, which must not be used after the function returns.
  /// - Throws: `FeedError` if the feed cannot be read to its end, or the error of `body`.
  public func forEachRecord(_ body: (FeedRecord) throws(FeedError) -> Void) throws(FeedError) {
    rewind()
    while let record = try next() { try body(record) }
  }

  /// Moves to the next record, which makes the previous one unusable.
  ///
  /// - Returns: The record, or nil after the last one.
  /// - Throws: `FeedError` if the rest of the file is not a record, or if the feed has no records.
  public func next() throws(FeedError) -> FeedRecord? {
    buffer.invalidate()
    if state == .atStart { try begin() }
    guard state == .inRecords else { return nil }
    let hasNext =
      switch shape.container {
      case .list: try moveToElement()
      case .lines: try moveToLine()
      case .dictionary: try moveToMember()
      case .object: try moveToOnly()
      }
    guard hasNext else {
      state = .atEnd
      guard nextIndex > 0 else {
        throw FeedError(.empty, "the feed holds no records; it must hold at least one object", path: path)
      }
      return nil
    }
    nextIndex += 1
    return FeedRecord(buffer: buffer, number: buffer.number)
  }
}

// MARK: - Moving

extension FeedReader {
  /// Moves to the container of the records and steps into it.
  private func begin() throws(FeedError) {
    try cursor.rewind()
    nextIndex = 0
    // An error leaves the reader at its end, so that no record comes after it.
    state = .atEnd
    if shape.container != .lines {
      for (depth, name) in shape.path.enumerated() {
        try expect(UInt8(ascii: "{"), kind: "an object", depth: depth)
        try cursor.enter()
        try moveToMember(name)
      }
      let isList = shape.container == .list
      try expect(UInt8(ascii: isList ? "[" : "{"), kind: isList ? "a list" : "an object", depth: shape.path.count)
      if shape.container != .object { try cursor.enter() }
    }
    state = .inRecords
  }

  private func moveToElement() throws(FeedError) -> Bool {
    cursor.recordIndex = nil
    guard try cursor.nextElement() != nil else {
      try end()
      return false
    }
    cursor.recordIndex = nextIndex
    try scanRecord()
    return true
  }

  private func moveToMember() throws(FeedError) -> Bool {
    while true {
      cursor.recordIndex = nil
      guard try cursor.moveToName() else {
        try end()
        return false
      }
      cursor.recordIndex = nextIndex
      let isRecord = try scanRecord(hasName: true)
      let name = cursor.string
      try cursor.addName(name, hash: NameHash.of(cursor.tokens[0], in: cursor.text))
      if isRecord { return true }
      if leftOut.count < Self.largestLeftOutCount, !leftOut.contains(name) { leftOut.append(name) }
    }
  }

  /// Moves to the only record, or behind it.
  private func moveToOnly() throws(FeedError) -> Bool {
    guard nextIndex == 0 else {
      try end()
      return false
    }
    cursor.recordIndex = nextIndex
    try scanRecord()
    return true
  }

  /// Moves to the object on the next line that does not only contain white space.
  private func moveToLine() throws(FeedError) -> Bool {
    if nextIndex > 0 { try cursor.endLine() }
    guard try cursor.peek() != nil else { return false }
    do throws(FeedError) {
      try scanRecord()
    } catch {
      throw cursor.lineError(error)
    }
    if let end = cursor.offsetOfLineEnd { throw cursor.lineEnd(at: end) }
    return true
  }

  /// Scans the next record and fills the buffer with it.
  ///
  /// - Returns: False if it is a member that is not an object.
  @discardableResult
  private func scanRecord(hasName: Bool = false) throws(FeedError) -> Bool {
    try cursor.scan(hasName: hasName, checksOutermost: !shape.envelope.isEmpty)
    let object = hasName ? 1 : 0
    guard cursor.tokens[object].kind == .object else {
      if hasName { return false }
      throw cursor.notARecord(index: nextIndex, token: object, isLine: shape.container == .lines)
    }
    try buffer.fill(index: nextIndex, objectToken: object)
    return true
  }

  /// Reads the rest of the file after the last record.
  private func end() throws(FeedError) {
    while cursor.depth > 0 { while try cursor.nextMember() != nil { try cursor.skipValue() } }
    if try cursor.peek() != nil {
      throw cursor.error(.syntax, "there is text after the end of the value", at: cursor.window.offset)
    }
  }

  // MARK: The path

  /// Moves to the value of a member of the innermost open object.
  private func moveToMember(_ name: String) throws(FeedError) {
    while let found = try cursor.nextMember() {
      if found.utf8.elementsEqual(name.utf8) { return }
      try cursor.skipValue()
    }
    let place = shape.path.prefix(cursor.depth)
    let start = place.isEmpty ? "the feed" : "the value at \(FeedError.quoted(place.joined(separator: ".")))"
    throw FeedError(.shape, "\(start) has no member \(FeedError.quoted(name)); \(wanted)", path: path)
  }

  private func expect(_ byte: UInt8, kind: String, depth: Int) throws(FeedError) {
    guard try cursor.peek() != byte else { return }
    let offset = cursor.window.offset
    let place = shape.path.prefix(depth)
    let start = place.isEmpty ? "the feed" : "the value at \(FeedError.quoted(place.joined(separator: ".")))"
    try cursor.scan()
    throw cursor.error(
      .shape, "\(start) is \(cursor.tokens[0].kind.nameWithArticle), not \(kind); \(wanted)", at: offset)
  }

  /// The shape that the feed was expected to have.
  private var wanted: String { "the records were expected as \(shape)" }
}
