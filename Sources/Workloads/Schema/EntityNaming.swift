/// Names of entities and properties that follow from names of members.
enum EntityNaming {
  /// Returns the words of a name in lower case, such as `remote` and `id` for `remoteID`, `remote_id` and `remote-id`.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      let startsWord =
        character.isUppercase
        && (word.last?.isLowercase ?? false || word.last?.isNumber ?? false
          || (word.last?.isUppercase ?? false) && index + 1 < characters.count && characters[index + 1].isLowercase)
      if startsWord, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words.map { $0.lowercased() }
  }

  /// Returns a name without everything in which the spellings of one name differ: capitals and separators.
  static func plain(_ name: String) -> String { words(name).joined() }

  /// Returns the name of an entity for objects under a member: in the singular, as one word of ASCII letters and digits
  /// that begins with a capital.
  static func entity(_ member: String) -> String {
    let name = EntityName.of(member).filter(\.isASCII)
    guard let first = name.first else { return "Value" }
    return first.isLetter ? name : "Value" + name
  }
}
