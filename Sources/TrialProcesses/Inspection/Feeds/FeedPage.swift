import Reporting
import Workloads

/// Builds the page that describes a feed.
package enum FeedPage {
  /// Returns the page of a feed.
  ///
  /// - Parameters:
  ///   - feed: The figures of the feed, and its mapping.
  ///   - path: The path of the feed.
  /// - Returns: The page, with the shape of the feed, its entities, the members of its records, and their mapping.
  package static func page(of feed: FeedDescription, path: String) -> Page {
    let summary = feed.summary
    return Page(
      title: "Feed \(code: path.split(separator: "/").last.map(String.init) ?? path)",
      sections: [
        Page.Section([.facts(facts(summary))]),
        Page.Section("Entities", [.table(entities(summary))]),
        Page.Section("Members", [.table(members(summary))]),
      ] + feed.references.sections + (feed.match?.sections ?? []))
  }

  private static func facts(_ summary: FeedSummary) -> [Page.Fact] {
    var facts = [Page.Fact("kind", "feed of JSON records"), Page.Fact("shape", "\(summary.shape)")]
    if let path = summary.recordsPath { facts.append(Page.Fact("records at", .code(path))) }
    if let places = summary.furtherContainers { facts.append(Page.Fact("not read", "\(places)")) }
    if let member = summary.envelope { facts.append(Page.Fact("lifted", .code(member))) }
    if let member = summary.keyMember { facts.append(Page.Fact("names become", .code(member))) }
    let id =
      summary.idField.map { field in
        "\(field), \(summary.distinctIDs ?? 0) different values of type \(summary.idType ?? "mixed")"
      } ?? "not found"
    return facts + [
      Page.Fact("records", "\(summary.records)"),
      Page.Fact("ID", "\(id)"),
      Page.Fact("depth", "\(summary.maxDepth)"),
      Page.Fact("members", "\(summary.unionOfKeys), \(summary.keysInEveryRecord) of them in every record"),
    ]
  }

  private static func entities(_ summary: FeedSummary) -> PageTable {
    PageTable(
      of: summary.entities,
      [
        PageColumn("entity") { $0.name },
        PageColumn("objects", .right) { "\($0.records)" },
        PageColumn("different", .right) { $0.distinctIDs.map(String.init) ?? "" },
      ])
  }

  private static func members(_ summary: FeedSummary) -> PageTable {
    PageTable(
      of: summary.keys,
      [
        PageColumn("member") { $0.name },
        PageColumn("records", .right) { "\($0.records)" },
        PageColumn("types") { $0.types.joined(separator: ", ") },
      ])
  }
}
