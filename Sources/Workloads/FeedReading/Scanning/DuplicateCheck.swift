import Foundation
import MachineCore

/// A check that the names of an object differ by their bytes.
///
/// The names of a small object are compared in pairs, and those of a large one through a table of hashes. The table is
/// used again for the next object.
final class DuplicateCheck {
  /// The result of a check. A name is given by the index of its token.
  enum Result {
    case distinct
    case repeated(Int)
    case tooMany(Int)
  }

  private static let largestPairwiseCount = 12

  /// The indexes of the names' tokens, and in the table these indexes plus 1 at the places of their hashes.
  private var names: [Int32] = []
  private var table: [Int32] = []

  /// Checks the names of an object whose members are complete.
  ///
  /// - Parameters:
  ///   - text: The first byte of the text.
  ///   - tokens: The tokens of the text.
  ///   - first: The index of the first name.
  ///   - end: The index of the token after the last value.
  /// - Returns: The first name that is wrong, if there is one.
  func check(_ text: UnsafePointer<UInt8>, tokens: UnsafePointer<Token>, from first: Int, to end: Int) -> Result {
    names.removeAll(keepingCapacity: true)
    var index = first
    while index < end {
      if names.count == FeedLimits.maxMemberCount { return .tooMany(index) }
      names.append(Int32(truncatingIfNeeded: index))
      let value = tokens[index + 1]
      index = value.isContainer ? value.link : index + 2
    }
    return names.count <= Self.largestPairwiseCount
      ? checkPairs(text, tokens: tokens) : checkTable(text, tokens: tokens)
  }

  private func checkPairs(_ text: UnsafePointer<UInt8>, tokens: UnsafePointer<Token>) -> Result {
    names.withUnsafeBufferPointer { names in
      for later in 1..<names.count {
        let name = tokens[Int(names[later])]
        for earlier in 0..<later where Self.areEqual(name, tokens[Int(names[earlier])], in: text) {
          return .repeated(Int(names[later]))
        }
      }
      return .distinct
    }
  }

  private func checkTable(_ text: UnsafePointer<UInt8>, tokens: UnsafePointer<Token>) -> Result {
    var size = 32
    while size < names.count * 2 { size *= 2 }
    table.removeAll(keepingCapacity: true)
    table.append(contentsOf: repeatElement(0, count: size))
    for index in names {
      let name = tokens[Int(index)]
      var place = Int(truncatingIfNeeded: NameHash.of(name, in: text) & UInt64(size - 1))
      while table[place] != 0 {
        if Self.areEqual(name, tokens[Int(table[place] - 1)], in: text) { return .repeated(Int(index)) }
        place = (place + 1) & (size - 1)
      }
      table[place] = index + 1
    }
    return .distinct
  }

  @inline(__always)
  private static func areEqual(_ left: Token, _ right: Token, in text: UnsafePointer<UInt8>) -> Bool {
    if left.hasEscapes || right.hasEscapes { return bytes(of: left, in: text) == bytes(of: right, in: text) }
    return left.length == right.length && memcmp(text + left.start, text + right.start, left.length) == 0
  }

  private static func bytes(of name: Token, in text: UnsafePointer<UInt8>) -> [UInt8] {
    guard name.hasEscapes else { return Array(UnsafeBufferPointer(start: text + name.start, count: name.length)) }
    return EscapedText(start: text + name.start, count: name.length).unescaped
  }
}

/// The hash of a name or a string, the same in every process.
enum NameHash {
  /// Returns the hash of some bytes, of which all bits depend on all bytes.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let hash = StableHash.hash(of: bytes) &* 0x9e37_79b9_7f4a_7c15
    return hash ^ hash >> 32
  }

  /// Returns the hash of a token's bytes with all escapes replaced.
  static func of(_ token: Token, in text: UnsafePointer<UInt8>) -> UInt64 {
    guard token.hasEscapes else { return of(UnsafeRawBufferPointer(start: text + token.start, count: token.length)) }
    return EscapedText(start: text + token.start, count: token.length).unescaped.withUnsafeBytes { of($0) }
  }
}

/// A set of 64-bit hashes. It takes 16 bytes of memory per hash at most, apart from the moment in which it grows.
package struct HashSet64: Sendable {
  private var slots: [UInt64] = []
  private var hasZero = false
  package private(set) var count = 0

  package init() {}

  /// Adds a hash.
  ///
  /// - Returns: False if the set contains the hash already.
  package mutating func insert(_ hash: UInt64) -> Bool {
    guard hash != 0 else {
      defer { hasZero = true }
      count += hasZero ? 0 : 1
      return !hasZero
    }
    if count * 4 >= slots.count * 3 { grow() }
    let place = self.place(of: hash)
    guard slots[place] == 0 else { return false }
    slots[place] = hash
    count += 1
    return true
  }

  /// Returns true if the set contains a hash.
  func contains(_ hash: UInt64) -> Bool {
    hash == 0 ? hasZero : !slots.isEmpty && slots[place(of: hash)] == hash
  }

  /// Returns the slot of a hash, or the free slot that it would take.
  private func place(of hash: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: (hash &* 0x9e37_79b9_7f4a_7c15) >> 32) & (slots.count - 1)
    while slots[place] != 0, slots[place] != hash { place = (place + 1) & (slots.count - 1) }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: max(32, old.count * 2))
    for hash in old where hash != 0 { slots[place(of: hash)] = hash }
  }
}
