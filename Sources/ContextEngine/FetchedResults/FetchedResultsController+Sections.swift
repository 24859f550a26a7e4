import MachineCore

// MARK: - Sections and places

extension FetchedResultsController {
  /// The sections in the list's order: one without a name where there is no property to cut by. Nil without a list.
  public var sections: [FetchedResultsSectionInfo]? {
    fetchedObjects == nil ? nil : (0..<sectionTable.count).map(sectionInfo)
  }

  func sectionInfo(_ section: Int) -> FetchedResultsSectionInfo {
    let name = sectionTable.names[section]
    return FetchedResultsSectionInfo(
      name: name, indexTitle: sectionIndexTitle(forSectionName: name) ?? "", range: sectionTable.range(of: section),
      list: fetchedObjects)
  }

  /// The object at a place of the list; loads its batch. Traps where there is no such place.
  public func object(at indexPath: FetchedIndexPath) -> ManagedObject {
    guard let fetchedObjects, indexPath.section >= 0, indexPath.section < sectionTable.count,
      indexPath.item >= 0, indexPath.item < sectionTable.range(of: indexPath.section).count
    else {
      trapMisuse("a controller of \(fetchRequest.entity.name) was asked for \(indexPath), where its list has nothing")
    }
    return fetchedObjects[sectionTable.starts[indexPath.section] + indexPath.item]
  }

  /// Where an object stands in the list; nil if it is not there. O(n).
  public func indexPath(forObject object: ManagedObject) -> FetchedIndexPath? {
    fetchedObjects?.objectIDs.firstIndex(of: object.objectID).map(sectionTable.indexPath)
  }
}

// MARK: - The index of the list

extension FetchedResultsController {
  /// What an index beside the list shows, each title once, in the order of the sections.
  public var sectionIndexTitles: [String] { indexedSections.map(\.title) }

  /// What the index shows for a section: what the delegate says, else the first letter of its name, in capitals; nil for
  /// a section without a name.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    delegate?.controller(self, sectionIndexTitleForSectionName: name) ?? name.first.map { String($0).uppercased() }
  }

  /// The first section of a title of the index.
  ///
  /// Traps when the index does not have that title there.
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
