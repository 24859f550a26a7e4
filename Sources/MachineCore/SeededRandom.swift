/// A small generator of random numbers that gives the same numbers for the same seed on every computer and in every
/// process.
///
/// It is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). Do not use it for
/// secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator. Generators with the same seed give the same numbers.
  public init(seed: UInt64) {
    state = seed
  }

  /// Creates a separate generator for one purpose, so that drawing more numbers for it does not change the numbers of
  /// others.
  public init(seed: UInt64, stream: String) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 ^ StableHash.hash(of: stream)
  }

  /// Returns the next random number. Each 64-bit number is equally likely.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in `0..<bound`, or 0 if `bound` is 0. Traps if `bound` is negative.
  ///
  /// It takes exactly one number from the generator and rejects no number. It does not use the standard
  /// library's arithmetic, which may change between versions.
  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
