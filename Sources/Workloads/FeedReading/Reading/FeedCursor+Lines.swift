import Foundation

// MARK: - JSON Lines

extension FeedCursor {
  /// The offset in the file of the first line end inside the latest value, or nil if it is on one line.
  var offsetOfLineEnd: Int? { offsetOfLineEnd(before: window.next) }

  private func offsetOfLineEnd(before end: UnsafePointer<UInt8>) -> Int? {
    guard let found = memchr(text, 0x0a, end - text) else { return nil }
    return window.offset(of: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
  }

  /// Steps over the white space after a value, up to the end of the line or of the file.
  func endLine() throws(FeedError) {
    while true {
      var place = window.next
      while place.pointee != UInt8(ascii: "\n"), JSONBytes.isSpace(place.pointee) { place += 1 }
      window.consume(upTo: place)
      if place < window.end {
        if place.pointee == UInt8(ascii: "\n") { return }
        throw error(.syntax, "there is text after the end of the value", at: window.offset)
      }
      if try !window.readMore() { return }
    }
  }

  /// Moves the error of a scan to the end of its line if the line ends before the error.
  ///
  /// - Parameter error: The error of the scan.
  /// - Returns: The error at its new place.
  func lineError(_ error: FeedError) -> FeedError {
    guard error.code == .syntax, let offset = error.offset else { return error }
    // The scan stopped in the window, of which no byte after the text was given up.
    let count = offset - textOffset
    guard let end = offsetOfLineEnd(before: text + count) else { return error }
    return lineEnd(at: end)
  }

  /// Describes a value that continues on the next line.
  ///
  /// - Parameter offset: The offset of the line's end in the file.
  /// - Returns: The error.
  func lineEnd(at offset: Int) -> FeedError {
    self.error(
      .syntax, "the text ends too early; a line must hold a whole object", at: offset, isTruncated: true)
  }

  /// Describes a value that is not a record.
  ///
  /// - Parameters:
  ///   - index: The index of the record in the feed.
  ///   - token: The token of the value.
  ///   - isLine: True if each line holds a record.
  /// - Returns: The error.
  func notARecord(index: Int, token: Int, isLine: Bool) -> FeedError {
    let kind = tokens[token].kind.nameWithArticle
    let start = tokens[token].start - (kind == "a string" ? 1 : 0)
    let sentence =
      isLine
      ? "the line is \(kind); every line must be an object"
      : "record \(index) (the first is 0) is \(kind); every record must be an object"
    return error(.shape, sentence, at: textOffset + start)
  }
}
