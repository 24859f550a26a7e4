import Reporting

/// Builds the page that describes a store.
package enum StorePage {
  /// Returns the page of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - comparison: The comparison with a model, or nil if no model was given.
  /// - Returns: The page, with a title, the settings of the file, the metadata, and tables of entities and of rows.
  package static func page(of store: InspectedStore, comparison: StoreModelComparison? = nil) -> Page {
    let contents = store.contents
    var sections = [Page.Section([.facts(settings(store) + metadata(contents.metadata))])]
    if let comparison { sections.append(Page.Section([.paragraphs([PageText(comparison.sentence)])])) }
    sections.append(Page.Section("Entities", [.table(entities(contents))]))
    sections.append(
      contents.tables.isEmpty
        ? Page.Section([.missing("The store has no table of an entity.")])
        : Page.Section("Rows", [.table(rows(contents))]))
    sections.append(
      Page.Section(
        "Version hashes",
        [.facts(contents.metadata.versionHashes.map { Page.Fact($0.entity, .code($0.text)) })]))
    return Page(title: "Store \(code: name(of: store.path))", sections: sections)
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  // MARK: Facts

  private static func settings(_ store: InspectedStore) -> [Page.Fact] {
    let contents = store.contents
    let autoVacuum = [0: "none", 1: "full", 2: "incremental"][contents.autoVacuum] ?? "\(contents.autoVacuum)"
    let log =
      store.logByteCount == 0 ? "none" : "\(count(store.logByteCount, of: "byte")), whose rows are included"
    let external =
      store.externalByteCounts.isEmpty
      ? "none"
      : "\(count(store.externalByteCounts.count, of: "file")), \(count(store.externalByteCounts.reduce(0, +), of: "byte"))"
    return [
      Page.Fact("kind", "store of Core Data (SQLite)"),
      Page.Fact("database", "\(count(store.databaseByteCount, of: "byte")), pages of \(contents.pageSize)"),
      Page.Fact("journal mode", "\(contents.journalMode)"),
      Page.Fact("write-ahead log", "\(log)"),
      Page.Fact("auto-vacuum", "\(autoVacuum)"),
      Page.Fact("integrity check", "\(contents.integrityCheck)"),
      Page.Fact("external data", "\(external)"),
      Page.Fact("history", "\(history(contents))"),
    ]
  }

  private static func history(_ contents: StoreContents) -> String {
    guard let transactions = contents.historyTransactionCount, let changes = contents.historyChangeCount else {
      return "none"
    }
    return "\(count(transactions, of: "transaction")), \(count(changes, of: "change"))"
  }

  private static func metadata(_ metadata: InspectedMetadata) -> [Page.Fact] {
    let identifiers = metadata.versionIdentifiers
    return [
      Page.Fact("UUID", "\(metadata.identifier)"),
      Page.Fact("model version", "\(identifiers.isEmpty ? "without a name" : identifiers.joined(separator: ", "))"),
      Page.Fact("framework version", "\(metadata.frameworkVersion.map(String.init) ?? "unknown")"),
    ]
      + (metadata.otherKeys.isEmpty
        ? [] : [Page.Fact("other metadata", "\(metadata.otherKeys.joined(separator: ", "))")])
  }

  private static func count(_ number: Int, of word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  // MARK: Tables

  private static func entities(_ contents: StoreContents) -> PageTable {
    PageTable(
      of: contents.entities,
      [
        PageColumn("entity") { $0.name },
        PageColumn("number", .right) { "\($0.number)" },
        PageColumn("inherits from") { contents.entityName($0.superentity) ?? "" },
        PageColumn("last key", .right) { "\($0.largestKey)" },
      ])
  }

  private static func rows(_ contents: StoreContents) -> PageTable {
    PageTable(
      of: contents.tables,
      [
        PageColumn("table") { $0.name },
        PageColumn("rows", .right) { "\($0.rowCount)" },
        PageColumn("columns", .right) { "\($0.columns.count)" },
      ])
  }
}
