import Foundation
import MachineCore

/// The data of an import in two phases, as an article of 2013 measured it: first all objects, then all relationships.
///
/// The article is Florian Kugler's "Concurrent Core Data Stacks – Performance Shootout" of 29 April 2013. Its
/// import had about 15,000 objects of several entity types, most of them of one type, so that with one save for each
/// type, one save had about 10,000 objects. The article does not say what the objects were. Its picture of the saves
/// shows, after the objects, about sixty saves of 500 relationships each: 30,000 relationships, or two per object. The
/// rest is chosen here: a music collection of five entities, in which the tracks are the 10,000 objects. The records
/// contain dates because the article names the parsing of dates as a large part of its importer's work.
///
/// The records are divided into pages of one entity each, as JSON text that `PayloadDecoder` decodes. The same seed
/// gives the same bytes.
package struct TwoPhaseWorkload: Sendable {
  /// The schema of the records, with link targets first.
  package let schema = WorkloadSchema.music
  /// All pages, in the order of the schema's entities.
  package let pages: [Page]
  /// The number of links that are not empty.
  package let relationshipCount: Int
  /// The rows that a store must hold when both phases are over.
  package let answer: Answer

  package struct Page: Equatable, Sendable {
    package let entity: Int
    package let recordCount: Int
    /// A list of records. Each record has the keys of the rows that it links to.
    package let text: Data
  }

  /// The number of objects in the published import.
  package static let publishedObjectCount = 15_000
  /// The number of the published import's objects in each entity, as chosen here.
  private static let publishedCounts = [200, 800, 2_000, 2_000, 10_000]

  package var objectCount: Int { pages.reduce(0) { $0 + $1.recordCount } }

  /// Generates the records.
  ///
  /// Complexity: O(n) in the objects, about 0.2 s for the published number.
  /// - Parameters:
  ///   - objectCount: The approximate number of objects. The entities keep their shares, with at least one object each.
  ///   - pageSize: The number of records on a page, at least 1. An entity's last page may hold fewer.
  ///   - seed: The seed from which values and links are drawn.
  package init(objectCount: Int = publishedObjectCount, pageSize: Int, seed: UInt64) {
    guard objectCount > 0, pageSize > 0 else {
      trapMisuse(
        "A two-phase import needs at least one object and a page size of at least 1; it has \(objectCount) and "
          + "\(pageSize)."
      )
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

  /// Returns a key such as `track-00000042`.
  private static func key(of entity: WorkloadSchema.Entity, _ number: Int) -> String {
    let digits = String(number)
    return entity.name.lowercased() + "-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
