import Foundation

/// Items in memory and, for a child process, in a file: one a line, fields between tabs.
package struct ItemFile: Sendable {
  package let items: [Item]
  package let path: String

  package init(count: Int, in folder: String) throws {
    items = Item.list(count)
    path = folder + "/items-\(count).tsv"
    var text = ""
    for item in items {
      text += "\(item.code)\t\(item.name)\t\(item.rating)\t\(item.price)\t\(item.updatedAt)\n"
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  package var count: Int { items.count }
}

extension RandomAccessCollection {
  /// Returns slices of `size` elements, the last of which may have fewer.
  package func units(of size: Int) -> [SubSequence] {
    var units: [SubSequence] = []
    var rest = self[...]
    while !rest.isEmpty {
      units.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return units
  }
}
