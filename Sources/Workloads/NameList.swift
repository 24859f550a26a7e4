import MachineCore

/// Lists of names in sentences for the user, which must not become too long.
enum NameList {
  private static let longestText = 240

  /// Returns the names with commas between them, as far as there is room, and the number of the others.
  static func text(_ names: [String]) -> String {
    var text = ""
    for (place, name) in names.enumerated() {
      let name = QuotedText.of(name)
      if place > 0, text.count + name.count > longestText { return "\(text) and \(names.count - place) more" }
      text += (place > 0 ? ", " : "") + name
    }
    return text
  }
}
