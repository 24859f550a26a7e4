import Foundation

/// The names of members in the records of a feed, each with a small number.
///
/// Most records have the same names in the same order. The table therefore remembers which name followed each name the
/// last time, and compares a name with that one before it looks up its hash.
final class NameTable {
  /// A name, with its place in the current record.
  struct Entry {
    /// The place of the name's bytes among the bytes of all names.
    var start: Int
    var length: Int
    var hash: UInt64
    /// The number of the name that followed this one the last time, or -1.
    var successor = -1
    /// The number of the latest record that has the name. The properties below belong to that record.
    var record = -1
    /// The index of the member among the members of the record.
    var index = 0
    /// The rank of the member. A member of a higher rank replaces one of the same name.
    var rank = 0
  }

  private(set) var entries: UnsafeMutablePointer<Entry>
  private(set) var count = 0
  private var capacity = 64
  private var bytes: [UInt8] = []
  private let maxByteCount: Int
  /// The numbers of names plus 1, at the places of their hashes.
  private var table: [Int32] = Array(repeating: 0, count: 256)
  /// The numbers of the names that came first the last time, in a record and in each of its envelopes, or -1.
  private var firsts: [Int]

  init(maxByteCount: Int, envelopeCount: Int) {
    self.maxByteCount = maxByteCount
    firsts = Array(repeating: -1, count: envelopeCount + 1)
    entries = .allocate(capacity: capacity)
  }

  deinit { entries.deallocate() }

  /// Finds a token's name, or adds it.
  ///
  /// - Parameters:
  ///   - token: The token of the name.
  ///   - text: The text of the token.
  ///   - previous: The number of the name before it. A negative number means that it is the first one: -1 in the
  ///     record, -2 in the first envelope, and so on.
  /// - Returns: The number of the name, or nil if the table has no room for another name.
  @inline(__always)
  func number(of token: Token, _ text: UnsafePointer<UInt8>, after previous: Int) -> Int? {
    let guess = previous < 0 ? firsts[-1 - previous] : entries[previous].successor
    if guess >= 0, !token.hasEscapes, isName(guess, name: text + token.start, length: token.length) { return guess }
    return find(token, in: text, after: previous)
  }

  private func find(_ token: Token, in text: UnsafePointer<UInt8>, after previous: Int) -> Int? {
    let found =
      if token.hasEscapes {
        EscapedText(start: text + token.start, count: token.length).unescaped.withUnsafeBufferPointer { number(of: $0) }
      } else {
        number(of: UnsafeBufferPointer(start: text + token.start, count: token.length))
      }
    guard let found else { return nil }
    if previous < 0 { firsts[-1 - previous] = found } else { entries[previous].successor = found }
    return found
  }

  /// Returns the number of a name, or nil if the table has no room for another name.
  func number(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let hash = NameHash.of(UnsafeRawBufferPointer(name))
    var place = place(of: hash)
    while table[place] != 0 {
      let number = Int(table[place] - 1)
      if entries[number].hash == hash, isName(number, name: name.baseAddress, length: name.count) { return number }
      place = (place + 1) & (table.count - 1)
    }
    guard count < FeedLimits.maxMemberCount, bytes.count + name.count <= maxByteCount else { return nil }
    table[place] = Int32(count + 1)
    add(Entry(start: bytes.count, length: name.count, hash: hash))
    bytes.append(contentsOf: name)
    if count * 2 > table.count { growTable() }
    return count - 1
  }

  /// Returns the name with a number.
  func name(_ number: Int) -> String {
    let entry = entries[number]
    return String(decoding: bytes[entry.start..<entry.start + entry.length], as: UTF8.self)
  }

  @inline(__always)
  private func isName(_ number: Int, name: UnsafePointer<UInt8>?, length: Int) -> Bool {
    let entry = entries[number]
    guard entry.length == length else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      length == 0 || memcmp(bytes.baseAddress! + entry.start, name!, length) == 0
    }
  }

  private func add(_ entry: Entry) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: entries, count: count)
      entries.deallocate()
      entries = larger
      capacity *= 2
    }
    (entries + count).initialize(to: entry)
    count += 1
  }

  private func growTable() {
    table = Array(repeating: 0, count: table.count * 4)
    for number in 0..<count {
      var place = place(of: entries[number].hash)
      while table[place] != 0 { place = (place + 1) & (table.count - 1) }
      table[place] = Int32(number + 1)
    }
  }

  private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 20) & (table.count - 1) }
}
