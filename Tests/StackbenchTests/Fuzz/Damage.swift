import Foundation
import MachineCore

/// A source of random damages to the bytes of files, which notes each damage.
struct Damage {
  var random: SeededRandom
  /// The descriptions of all damages so far, in their order.
  private(set) var notes: [String] = []

  init(random: SeededRandom) {
    self.random = random
  }

  /// Numbers at the limits of the formats and the machine, and texts that are not numbers.
  static let numbers = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551615", "0", "-1", "1", "-0",
    "1000000000", "1000000000000000", "1000000000000001", "2147483648", "1e308", "1e400", "1e-400", "0.5", "NaN",
    "-inf", "0x10", "", "00", "9e15",
  ]

  /// Texts that have a special meaning to a terminal, a parser or a chart.
  static let texts = [
    "\u{1b}[31m", "\u{1b}]0;title\u{7}", "\u{202e}", "\u{2028}", "\u{85}", "\0", "\"", "'", "{", "}", "[", "]", ",",
    ":",
    "\n", "\r", "\t", "\r\n", "é", "e\u{301}", "\u{feff}", "&a ", "*a", "!!int ", "%", "%d", "#", "- ", "? ", "|",
    "`id`",
    "$(id)", "../", "/", "\\", "=1+1", "a b",
  ]

  /// Returns the file with one to three damages.
  mutating func damaged(_ original: Data, named name: String) -> Data {
    var data = Array(original)
    for _ in 0...random.below(3) {
      let note = damageOnce(&data)
      notes.append("\(name): \(note)")
    }
    return Data(data)
  }

  private mutating func damageOnce(_ data: inout [UInt8]) -> String {
    guard !data.isEmpty else { return insertText(into: &data) }
    switch random.below(16) {
    case 0:
      let end = random.below(data.count)
      data.removeSubrange(end...)
      return "cut at byte \(end)"
    case 1:
      let place = random.below(data.count)
      data[place] ^= UInt8(1 << random.below(8))
      return "bit flipped in byte \(place)"
    case 2:
      let place = random.below(data.count)
      data[place] = UInt8(random.below(256))
      return "byte \(place) replaced"
    case 3, 4, 5, 6: return replaceNumber(in: &data)
    case 7: return changeLine(in: &data) { lines, index, _ in lines.insert(lines[index], at: index) } + " doubled"
    case 8: return changeLine(in: &data) { lines, index, _ in lines.remove(at: index) } + " removed"
    case 9: return changeLine(in: &data) { $0.swapAt($1, $2) } + " swapped with another"
    case 10, 11: return removeKey(from: &data)
    case 12, 13: return insertText(into: &data)
    case 14: return insertLongText(into: &data)
    default:
      data = []
      return "emptied"
    }
  }

  /// Replaces the first number after a random place.
  private mutating func replaceNumber(in data: inout [UInt8]) -> String {
    let from = random.below(data.count)
    guard let start = (data[from...].firstIndex(where: Self.isDigit) ?? data.firstIndex(where: Self.isDigit)) else {
      return insertText(into: &data)
    }
    let end = data[start...].firstIndex { !Self.isDigit($0) } ?? data.endIndex
    let number = Self.numbers[random.below(Self.numbers.count)]
    data.replaceSubrange(start..<end, with: Array(number.utf8))
    return "number at byte \(start) replaced by \(number)"
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func changeLine(
    in data: inout [UInt8], _ change: (inout [ArraySlice<UInt8>], Int, Int) -> Void
  ) -> String {
    var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let (index, other) = (random.below(lines.count), random.below(lines.count))
    change(&lines, index, other)
    data = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    return "line \(index + 1)"
  }

  /// Removes a key of JSON or YAML, with or without its value.
  private mutating func removeKey(from data: inout [UInt8]) -> String {
    let colons = data.indices.filter { data[$0] == UInt8(ascii: ":") }
    guard !colons.isEmpty else { return insertText(into: &data) }
    let colon = colons[random.below(colons.count)]
    let before: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "\n")]
    let start = (data[..<colon].lastIndex { before.contains($0) } ?? -1) + 1
    let after: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "\n")]
    let end = random.below(2) == 0 ? colon : data[colon...].firstIndex { after.contains($0) } ?? data.endIndex
    data.removeSubrange(start..<end)
    return "bytes \(start) to \(end), a key, removed"
  }

  private mutating func insertText(into data: inout [UInt8]) -> String {
    let place = random.below(data.count + 1)
    let text = Self.texts[random.below(Self.texts.count)]
    data.insert(contentsOf: Array(text.utf8), at: place)
    return "\(text.debugDescription) inserted at byte \(place)"
  }

  private mutating func insertLongText(into data: inout [UInt8]) -> String {
    let place = random.below(data.count + 1)
    let signs = Array("1[{\"a -:".utf8)
    let sign = signs[random.below(signs.count)]
    data.insert(contentsOf: [UInt8](repeating: sign, count: 20_000), at: place)
    return "20,000 times byte \(sign) inserted at byte \(place)"
  }
}
