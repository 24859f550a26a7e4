import MachineCore

/// A value of a record's member.
///
/// An object in which a dump of MongoDB wraps a value, such as `{"$oid":"…"}`, is read as that value.
///
/// Values refer to the text of the current record. Copy what is needed from them before the reader moves to the next
/// record.
public enum FeedValue {
  /// The value null.
  case null
  /// The value true or false.
  case boolean(Bool)
  /// A number without fraction and exponent that fits into 64 bits.
  case integer(Int64)
  /// A number without fraction and exponent that does not fit into 64 bits.
  case largeInteger(FeedNumber)
  /// A number with a fraction or an exponent. It is never too large or too small for a double.
  case decimal(FeedNumber)
  /// A string.
  case string(FeedText)
  /// A list of values.
  case list(FeedList)
  /// An object, which has members.
  case object(FeedObject)
}

/// A place in the tokens of the current record.
struct TokenReference {
  let buffer: RecordBuffer
  /// The number of the record that the place belongs to.
  let record: Int
  let index: Int

  /// The token. Stops the process if the reader has moved to another record.
  @inline(__always)
  var token: Token {
    if buffer.number != record {
      trapMisuse("a value of a record was used after the reader had moved on; copy it from the record first")
    }
    return buffer.tokens[index]
  }

  @inline(__always)
  func at(_ index: Int) -> TokenReference { TokenReference(buffer: buffer, record: record, index: index) }

  /// The index of the token after the value.
  @inline(__always)
  var end: Int {
    let token = token
    return token.isContainer ? token.link : index + 1
  }

  @inline(__always)
  var bytes: UnsafeBufferPointer<UInt8> {
    let token = token
    return UnsafeBufferPointer(start: buffer.text + token.start, count: token.length)
  }

  /// The value of the token. A name is a string.
  @inline(__always)
  var value: FeedValue {
    let token = token
    switch token.kind {
    case .null: return .null
    case .falseValue: return .boolean(false)
    case .trueValue: return .boolean(true)
    case .integer:
      guard let integer = NumberText(buffer.text + token.start, count: token.length).integer else {
        fatalError("an integer was checked and does not fit into 64 bits")
      }
      return .integer(integer)
    case .largeInteger: return .largeInteger(FeedNumber(place: self))
    case .decimal: return .decimal(FeedNumber(place: self))
    case .string, .escapedString, .name, .escapedName: return .string(FeedText(place: self))
    case .list: return .list(FeedList(place: self))
    case .object: return WrappedValue.value(in: self) ?? .object(FeedObject(place: self))
    }
  }
}
