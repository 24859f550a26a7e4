/// An article whose statements are checked.
package struct Article: Hashable, Sendable {
  /// The name of the file that holds the article's claims, without its extension.
  package var key: String
  package var author: String
  package var title: String
  /// The year of publication, or nil if the article does not give it.
  package var year: Int?

  /// The author, the title and the year in one line.
  package var citation: String { "\(author): “\(title)”, \(year.map { "\($0)" } ?? "undated")" }
}
