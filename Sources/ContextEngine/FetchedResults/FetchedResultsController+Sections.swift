import MachineCore

// MARK: - Sections and places

extension FetchedResultsController {
  /// The sections in the list's order, or nil if there is no list. Without a property for sections it is one section
  /// with an empty name.
  public var sections: [FetchedResultsSectionInfo]? {
    fetchedObjects == nil ? nil : (0..<sectionTable.count).map(sectionInfo)
  }

  func sectionInfo(_ section: Int) -> FetchedResultsSectionInfo {
    let name = sectionTable.names[section]
    return FetchedResultsSectionInfo(
      name: name, indexTitle: sectionIndexTitle(forSectionName: name) ?? "", range: sectionTable.range(of: section),
      list: fetchedObjects)
  }

  /// Returns the object at an index path and loads its batch. Traps if the list has no such index path.
  public func object(at indexPath: FetchedIndexPath) -> ManagedObject {
    guard let fetchedObjects, indexPath.section >= 0, indexPath.section < sectionTable.count,
      indexPath.item >= 0, indexPath.item < sectionTable.range(of: indexPath.section).count
    else {
      trapMisuse("a controller of \(fetchRequest.entity.name) has no object at \(indexPath)")
    }
    return fetchedObjects[sectionTable.starts[indexPath.section] + indexPath.item]
  }

  /// Returns the index path of an object, or nil if it is not in the list. O(n).
  public func indexPath(forObject object: ManagedObject) -> FetchedIndexPath? {
    fetchedObjects?.objectIDs.firstIndex(of: object.objectID).map(sectionTable.indexPath)
  }
}

// MARK: - The index of the list

extension FetchedResultsController {
  /// The titles for an index of the list, in the order of the sections. Neighbouring sections with the same title share
  /// one entry. Empty if the list has no sections.
  public var sectionIndexTitles: [String] { indexedSections.map(\.title) }

  /// Returns the index title of a section: the one that the delegate returns, or else the capitalized first letter of
  /// its name. Returns nil if the delegate returns nil and the name is empty.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    delegate?.controller(self, sectionIndexTitleForSectionName: name) ?? name.first.map { String($0).uppercased() }
  }

  /// Returns the first section with an index title.
  ///
  /// Traps if `sectionIndexTitles` does not have that title at `index`.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    let indexed = indexedSections
    guard indexed.indices.contains(index), indexed[index].title == title else {
      trapMisuse("a controller of \(fetchRequest.entity.name) has no index title “\(title)” at \(index)")
    }
    return indexed[index].section
  }

  private var indexedSections: [(title: String, section: Int)] {
    guard fetchedObjects != nil, sectioning != nil else { return [] }
    var indexed: [(title: String, section: Int)] = []
    for (section, name) in sectionTable.names.enumerated() {
      guard let title = sectionIndexTitle(forSectionName: name), indexed.last?.title != title else { continue }
      indexed.append((title, section))
    }
    return indexed
  }
}
