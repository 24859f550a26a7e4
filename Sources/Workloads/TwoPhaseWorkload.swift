import Foundation
import MachineCore

/// The data of an import in two phases, as an article of 2013 measured it: first all objects, then all relationships.
///
/// What is published (Florian Kugler, "Concurrent Core Data Stacks – Performance Shootout", 29 April 2013): about 15,000
/// objects of several entity types, most of them of one type, so that one save for each type made one of about 10,000
/// objects. What they were is not said. Read from its picture of the saves: after the objects came about sixty saves of
/// 500 relationships, so 30,000 of them, two an object. The rest is ours: a collection of music, five entities, tracks
/// the 10,000. Dates are in it because the article names their parsing as what its importer spends much on.
///
/// Records come in pages of one entity each, as JSON text that `PayloadDecoder` decodes. The same seed gives the same
/// bytes.
package struct TwoPhaseWorkload: Sendable {
  /// Link targets first.
  package let schema = WorkloadSchema.music
  /// All pages, entity by entity in the schema's order.
  package let pages: [Page]
  /// Links that are not empty.
  package let relationshipCount: Int
  /// What a store must hold when both phases are over.
  package let answer: Answer

  package struct Page: Hashable, Sendable {
    package let entity: Int
    package let recordCount: Int
    /// A list of records; each has the keys of what it links to.
    package let text: Data
  }

  /// How many objects the published import had.
  package static let publishedObjectCount = 15_000
  /// How the published import's objects spread over the entities.
  private static let publishedCounts = [200, 800, 2_000, 2_000, 10_000]

  package var objectCount: Int { pages.reduce(0) { $0 + $1.recordCount } }

  /// Generates the records. O(objects), about 0.2 s for the published number.
  ///
  /// - Parameters:
  ///   - objectCount: about how many; the entities keep their shares, at least one object each.
  ///   - pageSize: how many records a page holds, at least 1; an entity's last page may hold fewer.
  package init(objectCount: Int = publishedObjectCount, pageSize: Int, seed: UInt64) {
    guard objectCount > 0, pageSize > 0 else {
      trapMisuse("A two-phase import has objects and pages, not \(objectCount) in pages of \(pageSize).")
    }
    var links = SeededRandom(seed: seed, stream: "links of a two-phase import")
    var values = RecordValues(random: SeededRandom(seed: seed, stream: "values of a two-phase import"))
    let counts = Self.publishedCounts.map { max(1, $0 * objectCount / Self.publishedObjectCount) }
    let music = WorkloadSchema.music
    var pages: [Page] = []
    var relationshipCount = 0
    var model = AnswerModel(schema: music)
    for (index, entity) in music.entities.enumerated() {
      let targets = entity.links.map { link in music.entities.firstIndex { $0.name == link.targetEntity } ?? 0 }
      for first in stride(from: 0, to: counts[index], by: pageSize) {
        var piece = Piece()
        for number in first..<min(first + pageSize, counts[index]) {
          let key = Self.key(of: entity, number)
          let record = ImportRecord(
            entity: index, key: .string(key), values: values.values(for: entity, key: key),
            links: targets.map { .string(Self.key(of: music.entities[$0], links.below(counts[$0]))) })
          piece.append(record) { text, record in text.append(record, of: music) }
          relationshipCount += record.links.count
          model.apply(record)
        }
        piece.close()
        pages.append(Page(entity: index, recordCount: piece.records.count, text: Data(piece.text.bytes)))
      }
    }
    self.pages = pages
    self.relationshipCount = relationshipCount
    answer = model.answer()
  }

  /// A key such as `track-00000042`.
  private static func key(of entity: WorkloadSchema.Entity, _ number: Int) -> String {
    let digits = String(number)
    return entity.name.lowercased() + "-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}

extension WorkloadSchema {
  /// Genres, labels, artists, albums, tracks: two links an object on average where tracks are two thirds of all.
  package static let music = WorkloadSchema(
    entities: [
      entity("Genre", [date("updatedAt")]),
      entity("Label", [Attribute(name: "city", type: .string), date("updatedAt")]),
      entity(
        "Artist", [Attribute(name: "detail", type: .string), date("createdAt"), date("updatedAt")],
        links: [link("label", to: "Label", "artists"), link("genre", to: "Genre", "artists")]),
      entity(
        "Album",
        [Attribute(name: "detail", type: .string), date("releasedAt"), date("createdAt"), date("updatedAt")],
        links: [
          link("artist", to: "Artist", "albums"), link("label", to: "Label", "albums"),
          link("genre", to: "Genre", "albums"),
        ]),
      entity(
        "Track",
        [
          Attribute(name: "detail", type: .string), Attribute(name: "position", type: .integer64),
          Attribute(name: "duration", type: .double), date("createdAt"), date("updatedAt"),
        ],
        links: [link("album", to: "Album", "tracks"), link("artist", to: "Artist", "tracks")]),
    ],
    recordForm: .tagged)

  /// An entity with a key and a name before its other attributes, listed by name.
  private static func entity(_ name: String, _ attributes: [Attribute], links: [Link] = []) -> Entity {
    Entity(
      name: name,
      attributes: [
        Attribute(name: "remoteID", type: .string, member: "id"), Attribute(name: "name", type: .string),
      ] + attributes,
      links: links, keyIndex: 0, sortIndexes: [1, 0], shownIndexes: [1])
  }

  private static func date(_ name: String) -> Attribute {
    Attribute(name: name, type: .date)
  }

  private static func link(_ name: String, to target: String, _ inverse: String) -> Link {
    Link(name: name, targetEntity: target, inverseName: inverse, inverseDeleteRule: .nullify)
  }
}
