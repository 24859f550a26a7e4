/// A sequence of numbers and texts that is the same in every process.
struct FixedNumbers {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Returns the next number (SplitMix64).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }

  /// Returns a text of 16 to 23 letters from a to p, too long to be stored inside the `String` value.
  mutating func nextText() -> String {
    var letters = next()
    var more = next()
    let count = 16 + Int(letters & 7)
    return String(unsafeUninitializedCapacity: count) { bytes in
      for index in 0..<count {
        bytes[index] = UInt8(ascii: "a") + UInt8(letters & 15)
        letters >>= 4
        if letters == 0 { swap(&letters, &more) }
      }
      return count
    }
  }
}
