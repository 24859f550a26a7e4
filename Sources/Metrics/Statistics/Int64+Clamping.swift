extension Int64 {
  /// Makes the integer nearest to a value; values beyond the largest become the largest, and no number becomes 0.
  package init(clampingRounded value: Double) {
    let rounded = value.rounded()
    self = rounded.isNaN ? 0 : rounded >= 0x1p63 ? .max : rounded <= -0x1p63 ? .min : Int64(rounded)
  }
}
