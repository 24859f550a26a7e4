import Metrics

/// The rows and the list of a run in the words that the heads of tables and reports have.
package struct RunConditions: Hashable, Sendable {
  /// The values of settings, by name. A setting that was not given has an empty text or none.
  private let settings: [String: String]
  private let counts: WorkloadCounts?

  package init(settings: [String: String], counts: WorkloadCounts?) {
    self.settings = settings
    self.counts = counts
  }

  /// Creates the conditions of a run from its manifest.
  init(_ manifest: Manifest) { self.init(settings: manifest.flags, counts: manifest.counts) }

  /// The numbers of records by what they do, after a space: ` (9 inserted, 1 updated)`. It is empty if they are not
  /// known.
  package var changes: String {
    guard let counts else { return "" }
    let deleted = counts.deletedCount > 0 ? ", \(counts.deletedCount) deleted" : ""
    return " (\(counts.insertedCount) inserted, \(counts.updatedCount) updated\(deleted))"
  }

  /// The sentences on the settings that differ from the default, or nil if none does.
  package var sentence: String? {
    func part(_ name: Manifest.SettingName, text: (String) -> String) -> String? {
      settings[name.rawValue].flatMap { $0.isEmpty ? nil : text($0) }
    }
    let length = counts.map { " (\($0.listLength) rows at first)" } ?? ""
    let list = [
      part(.list) { "list of \($0)\(length)" }, part(.listSort) { "sorted by \($0)" },
      part(.listWhere) { "where \($0)" }, part(.listPrefetch) { "prefetching \($0)" },
      part(.listCells) { "cells of \($0)" },
    ].compactMap(\.self)
    let parts = [
      part(.existingRows) { $0.contains("=") ? "existing rows \($0)" : "" },
      list.isEmpty ? nil : list.joined(separator: ", "),
      part(.openScreens) { $0 == Self.standardOpening ? "" : "screens open \($0)" },
      part(.poolSize) { "pool of \($0) contexts" },
    ].compactMap(\.self).filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: "; ").sentenceCased + "."
  }

  private static let standardOpening = "before"

  /// True if tables should have a column with the time of the first fetch: for an app's own model or list, and for
  /// screens that open in the window.
  package var showsFirstFetch: Bool {
    let names: [Manifest.SettingName] = [.list, .model]
    return names.contains { settings[$0.rawValue]?.isEmpty == false }
      || settings[Manifest.SettingName.openScreens.rawValue].map { $0 != Self.standardOpening } ?? false
  }
}
