/// The members of the current record: those of its object, and those that are lifted from inner objects.
///
/// The buffer is filled anew for each record and allocates memory only for names that it has not seen before.
final class RecordBuffer {
  let cursor: FeedCursor
  let names: NameTable
  private let envelope: [Int]
  private let omitted: [Int]
  private let keyMember: Int?
  /// The number of the current record, or -1 if there is none. The first record has the number 0, and each reading of
  /// the file continues to count, so that no two records have the same number.
  private(set) var number = -1
  private var lastNumber = -1
  /// The names' numbers of the record's members, and the indexes of their values' tokens.
  private(set) var memberNames: [Int] = []
  private(set) var memberTokens: [Int] = []
  /// The index of the record in the feed, and the offset of its first byte in the file.
  private(set) var index = 0
  private(set) var offset = 0
  /// The name before a dictionary's record is the token 0, and the record the token 1.
  private(set) var objectToken = 0

  /// Creates a buffer for the records of a shape.
  init(_ cursor: FeedCursor, shape: FeedShape) {
    self.cursor = cursor
    let names = NameTable(
      maxByteCount: max(cursor.limits.maxRecordBytes, 1 << 16), envelopeCount: shape.envelope.count)
    self.names = names
    // The names of a shape are the first ones of the table, which has room for them.
    let number = { (name: String) in Array(name.utf8).withUnsafeBufferPointer { names.number(of: $0) ?? 0 } }
    envelope = shape.envelope.map(number)
    omitted = shape.omitted.map(number)
    keyMember = shape.container == .dictionary ? number(shape.keyMember) : nil
  }

  /// The tokens of the current record and their text.
  var tokens: UnsafePointer<Token> { cursor.tokens }
  var text: UnsafePointer<UInt8> { cursor.text }

  /// Makes values of the current record unusable.
  func invalidate() { number = -1 }

  /// Fills the buffer with the record that the cursor has scanned.
  ///
  /// - Parameters:
  ///   - index: The index of the record in the feed.
  ///   - objectToken: The token of the record's object.
  /// - Throws: `FeedError` if the record has two members of the same name, if it is not an envelope of the shape, or if
  ///   the records have too many different members.
  func fill(index: Int, objectToken: Int) throws(FeedError) {
    lastNumber += 1
    number = lastNumber
    self.index = index
    self.objectToken = objectToken
    offset = cursor.textOffset + (objectToken > 0 ? tokens[objectToken].start : 0)
    memberNames.removeAll(keepingCapacity: true)
    memberTokens.removeAll(keepingCapacity: true)
    if let keyMember { try add(keyMember, name: 0, value: 0, rank: .max) }
    try addMembers(of: objectToken, rank: 0)
  }

  /// Adds the members of an object: those of the record itself with rank 0, or those of an envelope with its rank.
  private func addMembers(of object: Int, rank: Int) throws(FeedError) {
    let tokens = tokens
    let text = text
    let end = tokens[object].link
    var name = object + 1
    var previous = -1 - rank
    while name < end {
      guard let number = names.number(of: tokens[name], text, after: previous) else { throw tooManyNames(at: name) }
      previous = number
      let value = tokens[name + 1]
      if rank == 0, let envelopeRank = envelope.firstIndex(of: number), value.kind == .object || value.kind == .null {
        if value.kind == .object { try addMembers(of: name + 1, rank: envelopeRank + 1) }
      } else if rank > 0 || !omitted.contains(number) {
        if rank == 0, envelope.contains(number) { throw wrongEnvelope(number, at: name + 1) }
        try add(number, name: name, value: name + 1, rank: rank)
      }
      name = value.isContainer ? value.link : name + 2
    }
  }

  @inline(__always)
  private func add(_ number: Int, name: Int, value: Int, rank: Int) throws(FeedError) {
    let entry = names.entries + number
    if entry.pointee.record == self.number {
      if entry.pointee.rank == rank { throw repeatedName(number, at: name) }
      if rank > entry.pointee.rank {
        memberTokens[entry.pointee.index] = value
        entry.pointee.rank = rank
      }
      return
    }
    entry.pointee.record = self.number
    entry.pointee.rank = rank
    entry.pointee.index = memberNames.count
    memberNames.append(number)
    memberTokens.append(value)
  }

  /// Returns the token of the value of a member, or nil if the record has no such member.
  @inline(__always)
  func token(of number: Int) -> Int? {
    let entry = names.entries + number
    return entry.pointee.record == self.number ? memberTokens[entry.pointee.index] : nil
  }
}

// MARK: - Errors

extension RecordBuffer {
  private func error(_ code: FeedError.Code, _ sentence: String, at token: Int) -> FeedError {
    let start = tokens[token].start
    let isQuoted = tokens[token].kind == .name || tokens[token].kind == .escapedName
    return cursor.error(
      code, sentence, at: cursor.textOffset + start - (isQuoted ? 1 : 0), steps: cursor.recordSteps)
  }

  private func repeatedName(_ number: Int, at token: Int) -> FeedError {
    error(.value, "an object has two members \(FeedError.quoted(names.name(number)))", at: token)
  }

  private func tooManyNames(at token: Int) -> FeedError {
    error(
      .limit,
      "the records have more than \(FeedLimits.maxMemberCount) different members, or names of too many bytes together",
      at: token)
  }

  private func wrongEnvelope(_ number: Int, at token: Int) -> FeedError {
    error(
      .shape,
      "the member \(FeedError.quoted(names.name(number))) of record \(index) (the first is 0) is "
        + "\(tokens[token].kind.nameWithArticle); use an object", at: token)
  }
}

extension Token.Kind {
  /// The kind of a value, with its article.
  var nameWithArticle: String {
    switch self {
    case .null: "null"
    case .falseValue, .trueValue: "a boolean"
    case .integer, .largeInteger, .decimal: "a number"
    case .string, .escapedString, .name, .escapedName: "a string"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
