import MachineCore
import Reporting

/// The text of messages on standard error.
package enum MessageText {
  /// The largest number of characters of a word that is not cut. Names of files are usually shorter.
  private static let longestWord = 100
  /// The largest number of characters of a message. Lists of all names that a key may have are shorter.
  private static let longest = 2_000
  /// The largest number of characters that are read from a message, which limits the time.
  private static let longestRead = 1_000_000

  /// Returns the message in one line without control characters. Long words are cut, and so is a long message.
  package static func line(_ message: String) -> String {
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

  /// Returns true for a character that ends a word. A path consists of several words.
  private static func isEnd(_ character: Character) -> Bool { character == " " || character == "/" }

  private static func cut(_ word: Substring) -> String {
    word.count > longestWord ? QuotedText.of(word) : String(word)
  }
}
