/// An article, or another source, whose statements are checked.
package struct Article: Hashable, Sendable {
  /// The name of the file that holds the article's claims, without its extension.
  package var key: String
  /// The author, or nil if the file does not give one.
  package var author: String?
  /// The title, or the name of the file if the file does not give one.
  package var title: String
  /// The year of publication, or nil if the article does not give it.
  package var year: Int?

  /// The author, the title and the year in one line, or the title alone if the author is not given.
  package var citation: String {
    guard let author else { return title }
    return "\(author): “\(title)”, \(year.map { "\($0)" } ?? "undated")"
  }
}
