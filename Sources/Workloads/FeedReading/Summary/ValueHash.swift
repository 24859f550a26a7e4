/// The hash of a value, the same in every process.
///
/// Equal values have equal hashes: strings by their bytes, numbers by their text, and objects whatever the order of
/// their members is.
enum ValueHash {
  /// Returns the hash of a value.
  static func of(_ value: FeedValue) -> UInt64 {
    switch value {
    case .null: return 0x6e75_6c6c
    case .boolean(let value): return value ? 0x7472_7565 : 0x6661_6c73
    case .integer(let value): return mixed(UInt64(bitPattern: value), 1)
    case .largeInteger(let number), .decimal(let number): return mixed(hash(number.place.bytes), 2)
    case .string(let text): return mixed(text.withUTF8 { hash($0) }, 3)
    case .list(let list):
      var result: UInt64 = 4
      for element in list { result = mixed(result, of(element)) }
      return result
    case .object(let object):
      // A sum does not depend on the order of the members.
      var sum: UInt64 = 5
      for member in object { sum &+= mixed(member.name.withUTF8 { hash($0) }, of(member.value)) }
      return mixed(sum, 6)
    }
  }

  /// Returns the hash of a key.
  static func of(_ key: RecordKey) -> UInt64 { key.binary.withUnsafeBytes { NameHash.of($0) } }

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 { NameHash.of(UnsafeRawBufferPointer(bytes)) }

  /// Returns a hash that depends on all bits of two others, and on their order.
  static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var mixed = left &* 0x9e37_79b9_7f4a_7c15 ^ right
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

extension FeedValue {
  /// The kinds of values as a summary prints them, sorted.
  static let summaryTypes = ["boolean", "integer", "list", "null", "number", "object", "string"]

  /// The index of the value's kind in `summaryTypes`.
  var summaryTypeIndex: Int {
    switch self {
    case .boolean: 0
    case .integer, .largeInteger: 1
    case .list: 2
    case .null: 3
    case .decimal: 4
    case .object: 5
    case .string: 6
    }
  }

  /// True for a value that can identify a record: a string or an integer.
  var canIdentify: Bool {
    switch self {
    case .integer, .largeInteger, .string: true
    default: false
    }
  }
}
