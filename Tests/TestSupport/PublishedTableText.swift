/// The text of made-up tables of published figures.
package enum PublishedTableText {
  /// Returns the text of a table with two entities and one row, whose every step is timed by the figure `all`.
  ///
  /// - Parameters:
  ///   - row: Further lines of the row, such as its topology, in the row's indentation of four spaces.
  ///   - setUp: The steps of the set-up, each in one line.
  ///   - steps: The steps, each in one line.
  /// - Returns: The text, in YAML.
  package static func text(row: String = "    topology: all-main", setUp: [String] = [], steps: [String]) -> String {
    func list(_ steps: [String]) -> String { steps.map { "      - \($0)\n" }.joined() }
    return """
      name: made-up
      title: "made up"
      source: {author: me, address: here, date: today}
      profile: iphone-6-ios-11
      entities:
        Item:
          attributes:
            number: {type: integer64, indexed: true}
            name: {type: string, length: 12}
            group: {type: integer32, distinct: 4}
          relationships:
            album: {to: Album, inverse: items}
        Album:
          attributes:
            id: {type: uuid}
          relationships:
            items: {to: Item, inverse: album, many: true}
          unique: [[id]]
      rows:
        - title: row
      \(row)
      \(setUp.isEmpty ? "" : "    setUp:\n\(list(setUp))")    steps:
      \(list(steps))    figures:
            - {name: all, clock: wall, milliseconds: 1, role: predicted, source: "made up"}
      """
  }
}
