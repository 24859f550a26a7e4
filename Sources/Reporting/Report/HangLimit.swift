/// The limits, in nanoseconds, beyond which a frame that starts late is a hang.
enum HangLimit {
  /// The least lateness that Apple's tools report.
  static let hang: Int64 = 250_000_000
  /// The lateness up to which published traces of Instruments say "Microhang"; above it, they say "Hang".
  static let long: Int64 = 500_000_000
}
