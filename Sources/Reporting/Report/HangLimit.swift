/// From when on a frame that starts late is a hang, in nanoseconds.
enum HangLimit {
  /// From here on Apple's tools report it.
  static let hang: Int64 = 250_000_000
  /// Up to here published traces of Instruments say "Microhang", above it "Hang".
  static let long: Int64 = 500_000_000
}
