/// An estimate of the size to which the aliases of a YAML text can multiply it.
///
/// An alias such as `*name` repeats the value of the anchor `&name`, which can contain aliases itself. The parser
/// compares the keys of a mapping with everything that they repeat, so that a small text can keep it busy for ever.
enum AliasGrowth {
  /// The largest number of anchors and aliases. The files that people write have a few.
  private static let largestCount = 10_000
  /// The size of a text that the parser compares within seconds, in bytes.
  private static let largestSize = 200_000_000.0

  /// Returns what keeps the parser from reading a text within seconds, or nil if nothing does.
  static func flaw(of text: String) -> String? {
    // Some of these marks are part of a plain text and are counted too.
    let marks = " \t\r\n,:[{?-".utf8
    var anchorCount = 0
    var aliasCount = 0
    var previous = UInt8(ascii: " ")
    for byte in text.utf8 {
      if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "&"), marks.contains(previous) {
        if byte == UInt8(ascii: "*") { aliasCount += 1 } else { anchorCount += 1 }
      }
      previous = byte
    }
    guard anchorCount + aliasCount <= largestCount else {
      return "it has more than \(largestCount) anchors and aliases, such as &name and *name"
    }
    let size = growth(anchorCount: anchorCount, aliasCount: aliasCount) * Double(text.utf8.count)
    return size <= largestSize ? nil : "its aliases, such as *name, can multiply without end"
  }

  /// Returns the largest factor by which aliases can multiply a text: they stand in equal numbers in some of the anchors'
  /// values, each of which repeats the one before it.
  private static func growth(anchorCount: Int, aliasCount: Int) -> Double {
    var largest = 1.0
    for levels in 1...64 where levels <= anchorCount {
      let aliases = Double(aliasCount) / Double(levels)
      largest = max(largest, (0..<levels).reduce(1.0) { product, _ in product * aliases })
    }
    return largest
  }
}
