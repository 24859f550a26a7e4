import MachineCore

/// A place in a feed's file from which values are scanned one after another.
///
/// The tokens of the latest value, and the text that they refer to, are valid until the cursor moves on.
package final class FeedCursor {
  package let window: FeedWindow
  let limits: FeedLimits
  package let tape: TokenTape
  private let duplicates = DuplicateCheck()
  /// The first byte of the latest value's text.
  private(set) var text: UnsafePointer<UInt8>
  /// The offset in the file of the latest value.
  private(set) var textOffset = 0
  /// The largest depth of lists and objects in the latest value. The value itself, if it is one, has depth 1.
  private(set) var textDepth = 0
  /// The outermost objects and lists that are open, the outermost first.
  private var frames: [Frame] = []
  /// The hash of the name that `nextMember` has returned last.
  private(set) var nameHash: UInt64 = 0
  /// The index of the record that is read, or nil between records and for lines, of which errors give the number.
  var recordIndex: Int?

  /// An open list or object that is read element by element.
  private struct Frame {
    var isObject: Bool
    /// The number of elements or members, the current one included.
    var count = 0
    /// The hashes of the names so far.
    var names = HashSet64()
    /// The latest name.
    var name = ""
  }

  init(path: String, limits: FeedLimits) throws(FeedError) {
    window = FeedWindow(try FeedFile(path: path), limits: limits)
    self.limits = limits
    tape = TokenTape(maxCount: limits.maxTokenCount)
    text = window.next
  }

  /// Moves to the beginning of the file and skips the byte order mark, if there is one.
  ///
  /// - Throws: `FeedError` if the file is empty, or begins like UTF-16 or UTF-32.
  func rewind() throws(FeedError) {
    frames = []
    recordIndex = nil
    try window.rewind()
    while window.availableCount < 4 { if try !window.readMore() { break } }
    let head = UnsafeBufferPointer(start: window.next, count: min(4, window.availableCount))
    // The first character of JSON text is ASCII, which other encodings write with zero bytes.
    if head.starts(with: [0xfe, 0xff]) || head.starts(with: [0xff, 0xfe]) || head.prefix(2).contains(0) {
      throw FeedError(.encoding, "the feed is not UTF-8 but UTF-16 or UTF-32; use UTF-8", path: window.path)
    }
    if head.starts(with: [0xef, 0xbb, 0xbf]) { window.consume(upTo: window.next + 3) }
    guard try peek() != nil else {
      throw FeedError(.empty, "the feed is empty; it must hold at least one object", path: window.path)
    }
  }

  /// The tokens of the latest value.
  var tokens: UnsafePointer<Token> { UnsafePointer(tape.tokens) }

  /// Skips white space and returns the next byte, or nil at the end of the file.
  func peek() throws(FeedError) -> UInt8? {
    while true {
      var place = window.next
      while JSONBytes.isSpace(place.pointee) { place += 1 }
      window.consume(upTo: place)
      if place < window.end { return place.pointee }
      if try !window.readMore() { return nil }
    }
  }

  /// Scans the value at the next byte, which must not be white space, and steps behind it.
  ///
  /// - Parameters:
  ///   - hasName: True if a name and a colon come before the value. The name becomes the first token.
  ///   - checksOutermost: False if the names of the outermost object are checked elsewhere.
  /// - Throws: `FeedError` if the value is not JSON, or exceeds a limit.
  func scan(hasName: Bool = false, checksOutermost: Bool = true) throws(FeedError) {
    while true {
      let isLast = window.isAtEnd
      var scanner = TokenScanner(
        window.next, end: window.end, isLast: isLast, depth: frames.count, tape: tape, duplicates: duplicates)
      let outcome = scanner.scan(hasName: hasName, checksOutermost: checksOutermost)
      tape.count = scanner.count
      text = window.next
      textOffset = window.offset
      switch outcome {
      case .complete:
        guard scanner.next - text <= limits.maxRecordBytes else { throw tooLargeError() }
        textDepth = scanner.deepest - frames.count
        window.consume(upTo: scanner.next)
        return
      case .incomplete:
        if window.availableCount > limits.maxRecordBytes { throw tooLargeError() }
        if try !window.readMore(), isLast { throw error(scanner, isTruncated: true) }
      case .fault:
        throw error(scanner, isTruncated: false)
      }
    }
  }

  /// The string that the latest value is, or the name before it.
  var string: String { string(of: 0) }

  /// Returns the string or the name of a token.
  func string(of token: Int) -> String {
    let token = tape.tokens[token]
    if token.hasEscapes { return EscapedText(start: text + token.start, count: token.length).string }
    return String(decoding: UnsafeBufferPointer(start: text + token.start, count: token.length), as: UTF8.self)
  }
}

// MARK: - Outer lists and objects

extension FeedCursor {
  /// The number of open lists and objects that are read element by element.
  var depth: Int { frames.count }
  /// The number of elements of the innermost open list or object, the current one included.
  var elementCount: Int { frames.last?.count ?? 0 }

  /// Steps over an opening bracket or brace.
  func enter() throws(FeedError) {
    frames.append(Frame(isObject: window.next.pointee == UInt8(ascii: "{")))
    window.consume(upTo: window.next + 1)
  }

  /// Moves to the next element of the innermost open list, or behind the list if there is none.
  ///
  /// - Returns: The first byte of the element, or nil if the list ends.
  func nextElement() throws(FeedError) -> UInt8? {
    let isFirst = frames[frames.count - 1].count == 0
    if try peek() == UInt8(ascii: "]") { return leave() }
    if !isFirst {
      try expect(",", fault: .commaOrBracketExpected)
      if try peek() == UInt8(ascii: "]") { throw error(.commaBeforeBracket) }
    }
    frames[frames.count - 1].count += 1
    guard let byte = try peek() else { throw error(.valueExpected) }
    return byte
  }

  /// Moves to the value of the next member of the innermost open object, or behind the object if there is none.
  ///
  /// - Parameter limit: The largest number of members. A dictionary of records may have any number.
  /// - Returns: The name of the member, or nil if the object ends.
  /// - Throws: `FeedError` if the text is not JSON, or if the name is repeated.
  func nextMember(limit: Int = FeedLimits.maxMemberCount) throws(FeedError) -> String? {
    guard try moveToName() else { return nil }
    try scan()
    let name = string
    // The text is given up if more of the file is read.
    nameHash = NameHash.of(tape.tokens[0], in: text)
    try addName(name, hash: nameHash, limit: limit)
    _ = try peek()
    try expect(":", fault: .colonExpected)
    guard try peek() != nil else { throw error(.valueExpected) }
    return name
  }

  /// Moves to the name of the next member of the innermost open object, or behind the object if there is none.
  ///
  /// - Returns: False if the object ends.
  func moveToName() throws(FeedError) -> Bool {
    let isFirst = frames[frames.count - 1].count == 0
    if try peek() == UInt8(ascii: "}") {
      leave()
      return false
    }
    if !isFirst {
      try expect(",", fault: .commaOrBraceExpected)
      if try peek() == UInt8(ascii: "}") { throw error(.commaBeforeBrace) }
    }
    guard try peek() == UInt8(ascii: "\"") else { throw error(.nameExpected) }
    return true
  }

  /// Adds the name of the latest value to the names of the innermost open object.
  func addName(_ name: String, hash: UInt64, limit: Int = .max) throws(FeedError) {
    guard frames[frames.count - 1].names.insert(hash) else {
      throw error(.repeatedName, at: textOffset, quotation: "\(FeedError.quoted(name))")
    }
    guard frames[frames.count - 1].names.count <= limit else { throw error(.tooManyMembers, at: textOffset) }
    frames[frames.count - 1].count += 1
    frames[frames.count - 1].name = name
  }

  /// Scans the value at the next byte and gives up its contents. Lists and objects are read element by element down to
  /// a few levels, so that only their elements need to fit into the limits.
  func skipValue() throws(FeedError) {
    let byte = try peek()
    let isList = byte == UInt8(ascii: "[")
    guard isList || byte == UInt8(ascii: "{"), depth < FeedCursor.streamedDepth else {
      try scan()
      return
    }
    try enter()
    while try isList ? nextElement() != nil : nextMember() != nil { try skipValue() }
  }

  private static let streamedDepth = 6

  /// Steps behind a byte, or throws an error if another one comes next.
  private func expect(_ byte: Unicode.Scalar, fault: ScanFault) throws(FeedError) {
    guard window.availableCount > 0, window.next.pointee == UInt8(ascii: byte) else { throw error(fault) }
    window.consume(upTo: window.next + 1)
  }

  @discardableResult
  private func leave() -> UInt8? {
    frames.removeLast()
    window.consume(upTo: window.next + 1)
    return nil
  }
}

// MARK: - Errors

extension FeedCursor {
  /// Returns the steps to the current element of the innermost open list or object, or to the list or object itself if
  /// the place is between elements.
  private func outerSteps(isInElement: Bool) -> [FeedStep] {
    if recordIndex != nil { return recordSteps }
    return frameSteps(isInElement: isInElement)
  }

  /// The step to the current record, if errors name it.
  var recordSteps: [FeedStep] { recordIndex.map { [.record($0)] } ?? [] }

  private func frameSteps(isInElement: Bool) -> [FeedStep] {
    frames.indices.dropLast(isInElement ? 0 : 1).map { index in
      frames[index].isObject ? .member(frames[index].name) : .element(frames[index].count - 1)
    }
  }

  /// Describes a fault at the next byte, or at another place between outer elements.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - offset: The offset of the fault in the file. It must be in the window.
  ///   - quotation: The name that the fault is about, quoted.
  /// - Returns: The error.
  func error(_ fault: ScanFault, at offset: Int? = nil, quotation: String = "") -> FeedError {
    let isInElement = !fault.isBetweenElements
    let isTruncated = offset == nil && window.availableCount == 0
    return error(
      isTruncated ? .syntax : fault.code,
      isTruncated ? "the text ends too early" : fault.sentence(quotation, maxTokenCount: tape.maxCount),
      at: offset ?? window.offset, isTruncated: isTruncated, steps: outerSteps(isInElement: isInElement))
  }

  /// Adds a place in the window to a sentence.
  ///
  /// - Parameters:
  ///   - code: The part of reading that failed.
  ///   - sentence: The sentence that says what is wrong.
  ///   - offset: The offset of the place in the file.
  ///   - isTruncated: True if the text ends too early, so that the place has no column.
  ///   - steps: The steps to the wrong value.
  /// - Returns: The error.
  func error(
    _ code: FeedError.Code, _ sentence: String, at offset: Int, isTruncated: Bool = false, steps: [FeedStep] = []
  ) -> FeedError {
    let (line, column) = window.place(of: offset)
    var message = (code == .syntax ? "not JSON: " : "") + sentence
    if !isTruncated { message += ", column \(column)" }
    message += FeedStep.place(steps)
    return FeedError(
      code, message, path: window.path, line: line, column: isTruncated ? nil : column, offset: offset)
  }

  /// Returns the error of a scan.
  private func error(_ scanner: TokenScanner, isTruncated: Bool) -> FeedError {
    let steps = outerSteps(isInElement: true) + FeedStep.steps(to: scanner, tokens: tokens, text: text, cursor: self)
    let offset = isTruncated ? window.offset + window.availableCount : window.offset(of: scanner.faultPlace)
    if isTruncated { return error(.syntax, "the text ends too early", at: offset, isTruncated: true, steps: steps) }
    let sentence = scanner.fault.sentence(quotation(at: scanner), maxTokenCount: tape.maxCount)
    return error(scanner.fault.code, sentence, at: offset, steps: steps)
  }

  /// Returns the number or the name that a scanner's fault is about, quoted.
  private func quotation(at scanner: TokenScanner) -> String {
    let rest = UnsafeBufferPointer(start: scanner.faultPlace, count: window.end - scanner.faultPlace)
    if scanner.fault != .repeatedName {
      let number = rest.prefix { JSONBytes.isDigit($0) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains($0) }
      return QuotedText.of(String(decoding: number.prefix(QuotedText.length * 4), as: UTF8.self))
    }
    let place = scanner.faultPlace + 1 - text
    let name = (0..<tape.count).first { tape.tokens[$0].start == place } ?? 0
    return FeedError.quoted(string(of: name))
  }

  private func tooLargeError() -> FeedError {
    let offset = window.offset
    return error(
      .limit,
      "a record or another value has more than \(limits.maxRecordBytes) bytes, from byte \(offset) on; "
        + "use smaller ones, or a larger limit", at: offset, steps: outerSteps(isInElement: true))
  }
}
