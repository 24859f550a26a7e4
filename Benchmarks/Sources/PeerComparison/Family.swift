/// The place of an item in one of three tables: authors, their books, and the chapters of these.
///
/// 111 items in a row are a tree: an author, ten books, and ten chapters of each book. The last tree may be smaller.
package struct Family: Hashable, Sendable {
  package enum Level: Int, CaseIterable, Sendable {
    case author
    case book
    case chapter
  }

  package let level: Level
  /// The number of the tree, from 0.
  package let tree: Int
  /// The primary key that the row of the item has in its table.
  package let key: Int64
  /// The key of the row above, or nil for an author.
  package let parentKey: Int64?

  package static let treeSize = 111
  private static let childCount = 10

  /// Creates the place of the item with an index.
  package init(index: Int) {
    tree = index / Self.treeSize
    let place = index % Self.treeSize - 1
    if place < 0 {
      (level, key, parentKey) = (.author, Int64(tree + 1), nil)
    } else if place < Self.childCount {
      (level, key, parentKey) = (.book, Int64(tree * Self.childCount + place + 1), Int64(tree + 1))
    } else {
      let chapter = tree * Self.childCount * Self.childCount + place - Self.childCount
      (level, key, parentKey) = (.chapter, Int64(chapter + 1), Int64(chapter / Self.childCount + 1))
    }
  }

  /// True if the case `cascade` deletes the tree, which it does with every second one.
  package var isDeleted: Bool { Self.isDeleted(tree: tree) }

  static func isDeleted(tree: Int) -> Bool { tree % 2 == 1 }

  /// Returns the number of rows that the case `cascade` deletes.
  static func deletedCount(of itemCount: Int) -> Int {
    (0..<itemCount).count { Family(index: $0).isDeleted }
  }

  /// Returns the part of a checksum that a book with its chapters has. It differs if a chapter belongs to another book.
  @inline(__always)
  static func checksum(ofBook book: Int, rating: Int64, chapters: Int) -> Int {
    book &+ chapters &* (Int(rating) + 1)
  }
}
