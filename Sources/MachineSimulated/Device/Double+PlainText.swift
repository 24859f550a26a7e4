extension Double {
  /// The number without a trailing `.0`; every text of a profile writes numbers so.
  package var plainText: String {
    guard self == rounded(), magnitude < 1e15 else { return "\(self)" }
    return "\(Int64(self))"
  }
}
