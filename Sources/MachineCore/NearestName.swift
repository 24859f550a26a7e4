/// Finds the name that the user probably meant.
package enum NearestName {
  /// The length of the longest text, in bytes, that is compared with names.
  private static let longest = 100

  /// Returns the name of `names` that is nearest to `text`, or nil if all names are too different.
  ///
  /// The nearest name is the one with the smallest difference, if it differs in one byte or in at most a third of the
  /// text's bytes. Otherwise it is the first name that begins with the text, if the text has more than two bytes. A
  /// text of more than 100 bytes is too different from all names.
  package static func of(_ text: String, among names: [String]) -> String? {
    guard text.utf8.count <= longest else { return nil }
    let distances = names.map { distance(from: Array(text.utf8), to: Array($0.utf8)) }
    guard let least = distances.min(), least <= max(1, text.utf8.count / 3) else {
      // The beginning of a name is not a misspelling, but it shows what was meant as well.
      let longer = names.filter { text.utf8.count > 2 && $0.hasPrefix(text) }
      return longer.first
    }
    return distances.firstIndex(of: least).map { names[$0] }
  }

  /// Returns a question such as `did you mean three-tier? `, or an empty text if all names are too different.
  package static func clause(_ text: String, among names: [String]) -> String {
    question(text, among: names).map { "\($0) " } ?? ""
  }

  /// Returns a question such as `did you mean three-tier?`, or nil if all names are too different.
  package static func question(_ text: String, among names: [String]) -> String? {
    of(text, among: names).map { "did you mean \($0)?" }
  }

  /// Returns the number of bytes that have to be changed, added, removed, or swapped with the next byte to turn one
  /// text into the other.
  private static func distance(from first: [UInt8], to second: [UInt8]) -> Int {
    var earlier = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for (place, byte) in first.enumerated() {
      var row = last
      row[0] = place + 1
      for (index, other) in second.enumerated() {
        row[index + 1] = min(last[index] + (byte == other ? 0 : 1), row[index] + 1, last[index + 1] + 1)
        if place > 0, index > 0, byte == second[index - 1], first[place - 1] == other {
          row[index + 1] = min(row[index + 1], earlier[index - 1] + 1)
        }
      }
      (earlier, last) = (last, row)
    }
    return last[second.count]
  }
}
