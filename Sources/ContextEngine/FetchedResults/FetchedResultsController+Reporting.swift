import MachineCore

// MARK: - Reporting

extension FetchedResultsController {
  /// Reports an event to the delegate in the form that the delegate's `reporting` asks for.
  func report(_ outcome: FetchedResultsUpdate.Outcome, to delegate: any FetchedResultsControllerDelegate) {
    switch delegate.reporting {
    case .nothing: break
    case .changes: reportChanges(outcome, to: delegate)
    case .snapshot:
      let changed = outcome.reports.filter { $0.old != nil && $0.new != nil }.map(\.object.objectID)
      delegate.controller(self, didChangeContentWith: snapshot(reloading: changed))
    case .difference:
      guard sectioning == nil else {
        trapMisuse(
          "the delegate of a controller of \(fetchRequest.entity.name) requests differences, which lists with "
            + "sections do "
            + "not have; request snapshots")
      }
      delegate.controller(self, didChangeContentWith: outcome.difference)
    }
  }

  /// Reports the changes one by one: the sections first, because an object may be in a section that was just inserted.
  private func reportChanges(_ outcome: FetchedResultsUpdate.Outcome, to delegate: any FetchedResultsControllerDelegate)
  {
    delegate.controllerWillChangeContent(self)
    for section in outcome.sectionChanges.deleted {
      let name = outcome.oldSections.names[section]
      let gone = FetchedResultsSectionInfo(
        name: name, indexTitle: sectionIndexTitle(forSectionName: name) ?? "", range: 0..<0, list: nil)
      delegate.controller(self, didChange: gone, .delete(from: section))
    }
    for section in outcome.sectionChanges.inserted {
      delegate.controller(self, didChange: sectionInfo(section), .insert(at: section))
    }
    for report in outcome.reports { delegate.controller(self, didChange: report.object, outcome.change(report)) }
    delegate.controllerDidChangeContent(self)
  }

  /// Returns the list as plain values. O(n).
  func snapshot(reloading changed: [ObjectID]) -> FetchedResultsSnapshot {
    let objectIDs = fetchedObjects?.objectIDs ?? []
    let sections = (0..<sectionTable.count).map { section in
      FetchedResultsSnapshot.Section(
        identifier: sectionTable.names[section], itemIdentifiers: Array(objectIDs[sectionTable.range(of: section)]))
    }
    return FetchedResultsSnapshot(sections: sections, reloadedItemIdentifiers: changed)
  }
}

extension FetchedResultsUpdate.Outcome {
  /// The objects that were inserted, deleted and moved, as a difference from the old list to the new one.
  fileprivate var difference: CollectionDifference<ObjectID> {
    var changes: [CollectionDifference<ObjectID>.Change] = []
    for report in reports where !report.isUpdate {
      let objectID = report.object.objectID
      if let old = report.old { changes.append(.remove(offset: old, element: objectID, associatedWith: report.new)) }
      if let new = report.new { changes.append(.insert(offset: new, element: objectID, associatedWith: report.old)) }
    }
    guard let difference = CollectionDifference(changes) else {
      trapMisuse("a controller's reports contradict each other")
    }
    return difference
  }
}
