/// Names of entities that are inferred from names of members: singular and capitalised.
public enum EntityName {
  private static let irregular: [String: String] = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse", "feet": "foot",
    "teeth": "tooth", "geese": "goose", "indices": "index", "vertices": "vertex", "matrices": "matrix",
    "criteria": "criterion", "analyses": "analysis", "crises": "crisis", "movies": "movie", "cookies": "cookie",
    "leaves": "leaf", "lives": "life", "shelves": "shelf", "wives": "wife", "heroes": "hero", "potatoes": "potato",
    "tomatoes": "tomato", "buses": "bus", "statuses": "status", "viruses": "virus", "aliases": "alias",
    "addresses": "address", "species": "species", "series": "series", "sys": "sys", "news": "news", "media": "media",
  ]

  /// Returns the name of the entity of the objects that a member holds, such as `LineItem` for `line_items`.
  ///
  /// - Parameter member: The name of the member.
  /// - Returns: The name, which consists of letters and digits and begins with a letter.
  public static func of(_ member: String) -> String {
    var words = member.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let last = words.popLast() else { return "Value" }
    words.append(singular(last))
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isNumber == true ? "Value\(name)" : name
  }

  /// Returns the name of the entity of a feed's records: that of the list or dictionary that holds them, or `Record`.
  static func ofRecords(_ shape: FeedShape) -> String { shape.path.last.map(of) ?? "Record" }

  /// Returns the names that the entity of a feed's records may have: that of the member that holds them, or `Record`, and
  /// that of the file.
  ///
  /// - Parameter reader: The reader of the feed.
  /// - Returns: The names.
  public static func candidates(ofRecordsOf reader: FeedReader) -> [String] {
    let file = reader.path.split(separator: "/").last.map(String.init) ?? ""
    return [ofRecords(reader.shape), of(String(file.prefix { $0 != "." }))]
  }

  /// Returns the singular of an English noun. In a compound such as `lineItems`, only the last word changes.
  ///
  /// - Parameter noun: The noun.
  /// - Returns: The singular, or the noun itself if it is not a plural.
  public static func singular(_ noun: String) -> String {
    let start = noun.lastIndex { $0.isUppercase } ?? noun.startIndex
    let word = String(noun[start...])
    let lower = word.lowercased()
    // An abbreviation such as IDS is left as it is.
    if word.count > 1, word == word.uppercased() { return noun }
    let result: String
    if let known = irregular[lower] {
      result = word.first?.isUppercase == true ? known.prefix(1).uppercased() + known.dropFirst() : known
    } else if lower.hasSuffix("ies"), word.count > 4 {
      result = word.dropLast(3) + "y"
    } else if ["sses", "shes", "ches", "xes", "zzes"].contains(where: lower.hasSuffix) {
      result = String(word.dropLast(2))
    } else if lower.hasSuffix("s"), word.count > 2, !["ss", "us", "is"].contains(where: lower.hasSuffix) {
      result = String(word.dropLast())
    } else {
      result = word
    }
    return noun[..<start] + result
  }
}
