import MachineCore

/// A generator of random JSON text that follows the grammar.
struct RandomDocument {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed, stream: "documents of a feed") }

  /// Returns a list of objects.
  mutating func feed() -> String {
    let objects = (0..<1 + random.below(12)).map { _ in object(depth: 3) }
    return "\(space())[\(space())\(objects.joined(separator: ",\(space())"))\(space())]\(space())"
  }

  private mutating func space() -> String {
    guard random.below(3) == 0 else { return "" }
    return (0..<random.below(12)).map { _ in [" ", "\n", "\t", "\r\n"][random.below(4)] }.joined()
  }

  private mutating func object(depth: Int) -> String {
    let count = random.below(random.below(10) == 0 ? 40 : 9)
    // The number keeps names different if their characters are equal.
    let members = (0..<count).map { index in
      "\(space())\"\(characters(max: 10))\(index)\"\(space()):\(space())\(value(depth: depth))\(space())"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func value(depth: Int) -> String {
    switch random.below(depth > 0 ? 10 : 8) {
    case 0: return ["null", "true", "false"][random.below(3)]
    case 1: return "\(Int64(bitPattern: random.next()) >> Int64(random.below(64)))"
    case 2, 3: return decimal()
    case 8: return object(depth: depth - 1)
    case 9:
      let elements = (0..<random.below(6)).map { _ in "\(space())\(value(depth: depth - 1))\(space())" }
      return "[\(elements.joined(separator: ","))]"
    default: return "\"\(characters(max: 60))\""
    }
  }

  private mutating func decimal() -> String {
    let digits = (0..<1 + random.below(20)).map { _ in "\(random.below(10))" }.joined()
    let sign = random.below(2) == 0 ? "-" : ""
    switch random.below(3) {
    case 0: return "\(sign)\(random.below(1_000)).\(digits)"
    case 1: return "\(sign)\(random.below(10)).\(digits)\(random.below(2) == 0 ? "e" : "E+")\(random.below(250))"
    default: return "\(sign)\(1 + random.below(9))e-\(random.below(250))"
    }
  }

  private static let pieces = [
    "a", "Zq", "plain text ", "é", "e\u{301}", "日本", "😀", "\u{7f}", "\u{fffd}", "\u{ffff}", "\\\"", "\\\\", "\\/",
    "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0041", "\\u00e9", "\\uD83D\\uDE00", "\\ud800\\udc00", "\\u0000", "/", "'",
    "{", "]", ",",
  ]

  private mutating func characters(max: Int) -> String {
    (0..<random.below(max)).map { _ in Self.pieces[random.below(Self.pieces.count)] }.joined()
  }
}
