import ContextEngine
import Glibc

/// A hash table of strings, which are compared by their UTF-8 bytes.
struct StringTable {
  /// The bytes of all strings, one after the other.
  private var bytes: [UInt8] = []
  /// The place at which each string ends, after that of the string before it. The first is 0.
  private var ends = [0]
  /// The numbers of the strings by their hashes, -1 for a free place. At most half of the places are taken.
  private var places: [Int32]

  /// Creates the table of the strings among some values.
  init(_ values: [Value]) {
    var capacity = 16
    while capacity < values.count * 2 { capacity *= 2 }
    places = Array(repeating: -1, count: capacity)
    for case .string(var text) in values {
      text.withUTF8 { text in
        var place = self.place(of: text)
        while places[place] >= 0 { place = (place + 1) & (capacity - 1) }
        places[place] = Int32(ends.count - 1)
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
      }
    }
  }

  func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = place(of: text)
    while places[place] >= 0 {
      let number = Int(places[place])
      let (start, end) = (ends[number], ends[number + 1])
      let isSame = bytes.withUnsafeBufferPointer { bytes in
        end - start == text.count
          && (text.isEmpty || memcmp(bytes.baseAddress! + start, text.baseAddress!, text.count) == 0)
      }
      if isSame { return true }
      place = (place + 1) & (places.count - 1)
    }
    return false
  }

  /// Returns the place at which a string is looked for first.
  private func place(of text: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    var hash = UInt64(text.count)
    func add(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
      hash = product.high ^ product.low
    }
    var offset = 0
    while offset + 8 <= raw.count {
      add(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < raw.count {
      rest = rest << 8 | UInt64(raw[offset])
      offset += 1
    }
    add(rest)
    return Int(truncatingIfNeeded: hash) & (places.count - 1)
  }
}
