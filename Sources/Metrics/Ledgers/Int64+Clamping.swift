extension Int64 {
  /// Creates the integer nearest to a value. Values outside the range of `Int64` become its nearest bound, and NaN
  /// becomes 0.
  package init(clampingRounded value: Double) {
    let rounded = value.rounded()
    self = rounded.isNaN ? 0 : rounded >= 0x1p63 ? .max : rounded <= -0x1p63 ? .min : Int64(rounded)
  }
}
