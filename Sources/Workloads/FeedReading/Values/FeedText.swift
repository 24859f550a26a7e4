/// A string of a record, or the name of a member. Escapes are replaced when the string is asked for.
public struct FeedText {
  let place: TokenReference

  /// The string.
  public var string: String {
    let bytes = place.bytes
    if place.token.hasEscapes { return EscapedText(start: bytes.baseAddress!, count: bytes.count).string }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Calls a function with the string's UTF-8 bytes, which are copied only if they contain escapes.
  ///
  /// - Parameter body: A function of the bytes, which are valid until it returns.
  /// - Returns: The result of the function.
  public func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let bytes = place.bytes
    guard place.token.hasEscapes else { return body(bytes) }
    return EscapedText(start: bytes.baseAddress!, count: bytes.count).unescaped.withUnsafeBufferPointer(body)
  }

  /// Compares the UTF-8 bytes of the string with another's. The operator `==` of `String` is also true for canonically
  /// equivalent strings.
  ///
  /// - Parameter other: The other string.
  /// - Returns: True if the bytes are equal.
  public func hasSameBytes(as other: String) -> Bool {
    withUTF8 { $0.elementsEqual(other.utf8) }
  }
}

/// A number of a record, which keeps the text that it has in the file.
public struct FeedNumber {
  let place: TokenReference

  /// The text of the number.
  public var text: String { String(decoding: place.bytes, as: UTF8.self) }

  /// The double that is nearest to the number. It is infinite for an integer of more than 308 digits.
  public var double: Double {
    let bytes = place.bytes
    return NumberText(bytes.baseAddress!, count: bytes.count).double
  }
}
