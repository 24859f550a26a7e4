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

  /// Returns a sentence with the name that is spelled alike, or with all names.
  static func choice(_ name: String, of names: [String]) -> String {
    let plain = EntityNaming.plain(name)
    let distinct = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let near =
      distinct.first { EntityNaming.plain($0) == plain }
      ?? distinct.first {
        !plain.isEmpty && EntityNaming.plain(EntityName.singular($0)) == EntityName.singular(plain)
      }
    if let near { return "did you mean \(near)?" }
    guard !distinct.isEmpty else { return "there is none" }
    let shown = distinct.prefix(20).map { QuotedText.of($0) }.joined(separator: ", ")
    return "use one of \(shown)\(distinct.count > 20 ? " and \(distinct.count - 20) more" : "")"
  }
}
