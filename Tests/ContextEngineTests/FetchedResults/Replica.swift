import ContextEngine
import Testing

/// Replays the changes that a controller reports on plain arrays, as a table view does, and retains the controller.
final class Replica: FetchedResultsControllerDelegate {
  struct Section: Equatable {
    var name: String
    var objects: [ManagedObject]
  }

  let controller: FetchedResultsController
  private(set) var sections: [Section]
  private(set) var reports: [(object: ManagedObject, change: FetchedResultsChange)] = []
  private(set) var sectionReports: [(name: String, change: FetchedResultsSectionChange)] = []
  private(set) var eventCount = 0
  private var event: [(object: ManagedObject, change: FetchedResultsChange)] = []
  private var sectionEvent: [(name: String, change: FetchedResultsSectionChange)] = []

  init(_ controller: FetchedResultsController) {
    self.controller = controller
    sections = (controller.sections ?? []).map { Section(name: $0.name, objects: $0.objects) }
    controller.delegate = self
  }

  var objects: [ManagedObject] { sections.flatMap(\.objects) }

  func controllerWillChangeContent(_ controller: FetchedResultsController) {
    event = []
    sectionEvent = []
  }

  func controller(
    _ controller: FetchedResultsController, didChange section: FetchedResultsSectionInfo,
    _ change: FetchedResultsSectionChange
  ) {
    #expect(event.isEmpty, "sections come before objects")
    sectionEvent.append((section.name, change))
  }

  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {
    event.append((object, change))
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController) {
    eventCount += 1
    reports += event
    sectionReports += sectionEvent
    apply()
  }

  func clearReports() {
    reports = []
    sectionReports = []
    eventCount = 0
  }

  /// Applies deletions by old index path from the end, then insertions by new index path from the start. A move is
  /// both.
  private func apply() {
    var deletions: [FetchedIndexPath] = []
    var insertions: [(place: FetchedIndexPath, object: ManagedObject)] = []
    var updates: [(place: FetchedIndexPath, object: ManagedObject)] = []
    for (object, change) in event {
      switch change {
      case .insert(let place): insertions.append((place, object))
      case .delete(let place): deletions.append(place)
      case .move(let old, let new):
        #expect(sections[old.section].objects[old.item] === object)
        deletions.append(old)
        insertions.append((new, object))
      case .update(let old, let new):
        #expect(sections[old.section].objects[old.item] === object)
        updates.append((new, object))
      }
    }
    #expect(Set(deletions).count == deletions.count)
    for place in deletions.sorted(by: >) { sections[place.section].objects.remove(at: place.item) }
    applySections()
    for (place, object) in insertions.sorted(by: { $0.place < $1.place }) {
      sections[place.section].objects.insert(object, at: place.item)
    }
    #expect(sections.count == 1 || sections.allSatisfy { !$0.objects.isEmpty })
    for (place, object) in updates { #expect(sections[place.section].objects[place.item] === object) }
  }

  private func applySections() {
    for (name, change) in sectionEvent.reversed() {
      guard case .delete(let index) = change else { continue }
      #expect(sections[index].name == name && sections[index].objects.isEmpty)
      sections.remove(at: index)
    }
    for (name, change) in sectionEvent {
      if case .insert(let index) = change { sections.insert(Section(name: name, objects: []), at: index) }
    }
  }
}
