import MachineCore
import Reporting

/// Messages as standard error shows them.
enum MessageText {
  /// The number of characters from which on a word is cut; names of files are shorter as a rule.
  private static let longestWord = 100
  /// The number of characters of a message. Lists of all names that a key may have are shorter.
  private static let longest = 2_000
  /// The number of characters that are looked at, for the sake of time.
  private static let longestRead = 1_000_000

  /// Returns the message in one line without control characters. Long words are cut, and so is a long message.
  static func line(_ message: String) -> String {
    let text = VisibleText.line(message.prefix(longestRead))
    guard text.utf8.count > longestWord else { return text }
    var line = ""
    var word = text.startIndex
    for end in text.indices where isEnd(text[end]) {
      line += cut(text[word..<end]) + String(text[end])
      word = text.index(after: end)
    }
    line += cut(text[word...])
    guard let end = line.index(line.startIndex, offsetBy: longest, limitedBy: line.endIndex), end < line.endIndex else {
      return line
    }
    return "\(line[..<end])…"
  }

  /// Returns true for what ends a word. A path is several words.
  private static func isEnd(_ character: Character) -> Bool { character == " " || character == "/" }

  private static func cut(_ word: Substring) -> String {
    word.count > longestWord ? QuotedText.of(word) : String(word)
  }
}
