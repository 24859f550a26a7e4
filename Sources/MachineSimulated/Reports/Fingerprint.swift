/// A running hash over everything that a simulated machine did.
///
/// Equal fingerprints mean the same schedule and the same work in the same order. The hash does not resist attacks.
struct Fingerprint {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// Folds one number in; order matters.
  @inline(__always)
  mutating func fold(_ number: UInt64) {
    // A multiplication whose upper half is folded back (Yi, "wyhash", 2019): every bit reaches every other in two
    // steps.
    let product = (state ^ number).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    state = product.high ^ product.low ^ (number &+ 0xe703_7ed1_a0b4_28db)
  }

  @inline(__always)
  mutating func fold(_ number: Int64) {
    fold(UInt64(bitPattern: number))
  }

  @inline(__always)
  mutating func fold(_ number: Int) {
    fold(UInt64(bitPattern: Int64(number)))
  }

  /// Folds in the number of bytes, then words of eight bytes in little-endian order, then each remaining byte.
  mutating func fold(_ bytes: UnsafeRawBufferPointer) {
    fold(bytes.count)
    let wordsEnd = bytes.count & ~7
    for offset in stride(from: 0, to: wordsEnd, by: 8) {
      fold(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    for byte in bytes[wordsEnd...] { fold(UInt64(byte)) }
  }

  /// The hash as sixteen hexadecimal digits.
  var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
