/// A 64-bit FNV-1a hash of text, which is the same in every process. `Hasher` has another seed in each process.
package enum StableHash {
  /// Returns the hash of a text's UTF-8 bytes in O(length of the text).
  package static func hash(of text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(of: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the hash of some bytes in O(number of bytes).
  package static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
