import MachineCore

/// The sections of a list: their names, and how many objects each has, in the order of the list.
struct SectionTable: Hashable, Sendable {
  private(set) var names: [String]
  /// Where each section begins, and behind them where the last one ends.
  private(set) var starts: [Int]

  /// One section of the given name, which may be empty: a list without sections.
  init(whole count: Int) {
    names = [""]
    starts = [0, count]
  }

  /// Sections out of the names that the objects of a list have, in its order. O(objects).
  ///
  /// - Throws: `.sectionsOutOfOrder` where a name comes back after another.
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

  /// The section of the object at a position of the list. O(log sections).
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

  /// What came of the sections in one event.
  struct Changes {
    /// Old indexes of those that went, new ones of those that came.
    var deleted: [Int] = []
    var inserted: [Int] = []
  }

  /// A section that came, in front of an old one.
  private struct Arrival {
    var boundary: Int
    var name: String
    var count: Int
  }

  /// Follows a change of the list: the objects at some positions went, then others came.
  ///
  /// O(removed + placed + sections).
  ///
  /// - Parameters:
  ///   - removed: positions in the old list, ascending.
  ///   - placed: for each newcomer, in its new order, how many of those that stayed come before it, and its section.
  mutating func follow(removed: [Int], placed: [(gap: Int, name: String)]) -> Changes {
    let kept = keptCounts(removed)
    let ends = kept.reduce(into: []) { $0.append(($0.last ?? 0) + $1) }
    var counts = kept
    var arrivals: [Arrival] = []
    let known = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    // No newcomer goes before what an earlier one went to.
    var floor = 0
    for (gap, name) in placed {
      if let section = known[name] {
        counts[section] += 1
        floor = max(floor, section + 1)
      } else if let last = arrivals.last, last.name == name {
        arrivals[arrivals.count - 1].count += 1
      } else {
        let boundary = max(floor, Self.boundary(at: gap, ends, kept))
        arrivals.append(Arrival(boundary: boundary, name: name, count: 1))
        floor = boundary
      }
    }
    return rebuild(counts, arrivals)
  }

  private func keptCounts(_ removed: [Int]) -> [Int] {
    var counts = names.indices.map { range(of: $0).count }
    for position in removed { counts[section(at: position)] -= 1 }
    return counts
  }

  /// In front of which section a new one goes that begins behind `gap` objects: behind the last that is not empty and
  /// ends there or before. O(sections).
  private static func boundary(at gap: Int, _ ends: [Int], _ kept: [Int]) -> Int {
    var boundary = 0
    for section in ends.indices where kept[section] > 0 {
      if ends[section] > gap { break }
      boundary = section + 1
    }
    return boundary
  }

  private mutating func rebuild(_ counts: [Int], _ arrivals: [Arrival]) -> Changes {
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
