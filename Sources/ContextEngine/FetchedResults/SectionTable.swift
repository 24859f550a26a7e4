import MachineCore

/// The sections of a list: their names and their numbers of objects, in the order of the list.
struct SectionTable: Hashable, Sendable {
  private(set) var names: [String]
  /// The position at which each section begins, followed by the end of the last section.
  private(set) var starts: [Int]

  /// Creates a table for a list without sections: one section with an empty name, which may have no objects.
  init(whole count: Int) {
    names = [""]
    starts = [0, count]
  }

  /// Creates the sections from the section names of a list's objects, in the list's order. O(objects).
  ///
  /// - Throws: `.sectionsOutOfOrder` if a name occurs again after another name.
  init(_ objectNames: [String]) throws(PersistenceError) {
    names = []
    starts = [0]
    var known: Set<String> = []
    for (position, name) in objectNames.enumerated() {
      if name == names.last { continue }
      guard known.insert(name).inserted else {
        throw PersistenceError(
          .sectionsOutOfOrder,
          "object \(position) of the list is in section “\(name)”, which ended before; "
            + "sort the list so that the objects of a section are together")
      }
      if !names.isEmpty { starts.append(position) }
      names.append(name)
    }
    if !names.isEmpty { starts.append(objectNames.count) }
  }

  private init(_ sections: [(name: String, count: Int)]) {
    names = sections.map(\.name)
    starts = sections.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
  }

  var count: Int { names.count }

  func range(of section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

  /// Returns the section of the object at a position of the list. O(log sections).
  func section(at position: Int) -> Int {
    if names.count == 1 { return 0 }
    var low = 0
    var high = names.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= position { low = middle } else { high = middle - 1 }
    }
    return low
  }

  func indexPath(at position: Int) -> FetchedIndexPath {
    let section = section(at: position)
    return FetchedIndexPath(item: position - starts[section], section: section)
  }

  // MARK: Changing

  /// The changes of the sections in one event.
  struct Changes {
    /// The old indexes of the deleted sections. `inserted` has the new indexes of the inserted ones.
    var deleted: [Int] = []
    var inserted: [Int] = []
  }

  /// A new section, which is inserted before an old one.
  private struct Arrival {
    var boundary: Int
    var name: String
    var count: Int
  }

  /// Updates the sections after a change of the list in which objects at some positions were removed and then others
  /// were inserted.
  ///
  /// O(removed + placed + sections).
  ///
  /// - Parameters:
  ///   - removed: The positions of the removed objects in the old list, in ascending order.
  ///   - placed: An element for each inserted object, in the new order: the number of staying objects that come before
  ///     it, and the name of its section.
  /// - Returns: The sections that were deleted and inserted.
  mutating func follow(removed: [Int], placed: [(gap: Int, name: String)]) -> Changes {
    let kept = keptCounts(removed)
    let ends = kept.reduce(into: []) { $0.append(($0.last ?? 0) + $1) }
    var counts = kept
    var arrivals: [Arrival] = []
    let known = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    // An inserted object never belongs before the section of an earlier one.
    var floor = 0
    for (gap, name) in placed {
      if let section = known[name] {
        counts[section] += 1
        floor = max(floor, section + 1)
      } else if let last = arrivals.last, last.name == name {
        arrivals[arrivals.count - 1].count += 1
      } else {
        let boundary = max(floor, Self.boundary(at: gap, ends: ends, kept: kept))
        arrivals.append(Arrival(boundary: boundary, name: name, count: 1))
        floor = boundary
      }
    }
    return rebuild(counts, arrivals: arrivals)
  }

  private func keptCounts(_ removed: [Int]) -> [Int] {
    var counts = names.indices.map { range(of: $0).count }
    for position in removed { counts[section(at: position)] -= 1 }
    return counts
  }

  /// Returns the index of the old section before which a new section is inserted if `gap` staying objects come before
  /// it: the new section follows the last non-empty section that ends at or before the gap. O(sections).
  private static func boundary(at gap: Int, ends: [Int], kept: [Int]) -> Int {
    var boundary = 0
    for section in ends.indices where kept[section] > 0 {
      if ends[section] > gap { break }
      boundary = section + 1
    }
    return boundary
  }

  private mutating func rebuild(_ counts: [Int], arrivals: [Arrival]) -> Changes {
    var changes = Changes()
    var sections: [(name: String, count: Int)] = []
    sections.reserveCapacity(names.count + arrivals.count)
    var next = 0
    for old in 0...names.count {
      while next < arrivals.count, arrivals[next].boundary == old {
        changes.inserted.append(sections.count)
        sections.append((arrivals[next].name, arrivals[next].count))
        next += 1
      }
      guard old < names.count else { break }
      if counts[old] > 0 {
        sections.append((names[old], counts[old]))
      } else {
        changes.deleted.append(old)
      }
    }
    self = SectionTable(sections)
    return changes
  }
}
