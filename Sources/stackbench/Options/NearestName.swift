/// Finds the name that was probably meant.
enum NearestName {
  /// The length of the longest text that is a slip of a name.
  private static let longest = 100

  /// Returns the name of `names` that differs least from `text`, or nil if all differ in more than a third of it.
  static func of(_ text: String, among names: [String]) -> String? {
    guard text.utf8.count <= longest else { return nil }
    let distances = names.map { distance(Array(text.utf8), Array($0.utf8)) }
    guard let least = distances.min(), least <= max(1, text.utf8.count / 3) else {
      // A beginning is no slip, but it says what was meant as well.
      let longer = names.filter { text.utf8.count > 2 && $0.hasPrefix(text) }
      return longer.first
    }
    return distances.firstIndex(of: least).map { names[$0] }
  }

  /// Returns the clause that names it, or nothing if there is none: `; did you mean three-tier?`
  static func clause(_ text: String, among names: [String]) -> String {
    of(text, among: names).map { "did you mean \($0)? " } ?? ""
  }

  /// Returns how many bytes have to be changed, added or taken away to make one text of the other.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (place, byte) in first.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for index in second.indices {
        let changed = diagonal + (byte == second[index] ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(changed, row[index] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
