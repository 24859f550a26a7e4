extension Double {
  /// The number as decimal text without a trailing `.0`.
  package var plainText: String {
    guard self == rounded(), magnitude < 1e15 else { return "\(self)" }
    return "\(Int64(self))"
  }
}
