/// Shortens SQL statements for places without enough room for the whole text.
package enum StatementText {
  /// Returns the verb and the table of a statement, without columns and conditions, as in `SELECT … FROM ZPRODUCT` and
  /// `INSERT INTO ZPRODUCT`.
  package static func shortened(_ sql: String) -> String {
    let words = sql.split { $0 == " " || $0 == "(" || $0 == "\n" }.map(String.init)
    func table(after word: String) -> String {
      words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? "?"
    }
    switch words.first {
    case "SELECT": return "SELECT … FROM \(table(after: "FROM"))"
    case "INSERT": return "INSERT INTO \(table(after: "INTO"))"
    case "DELETE": return "DELETE FROM \(table(after: "FROM"))"
    case "UPDATE": return "UPDATE \(words.count > 3 && words[1] == "OR" ? words[3] : table(after: "UPDATE"))"
    default: return sql
    }
  }
}
