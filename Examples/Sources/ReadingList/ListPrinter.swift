import ContextEngine

/// A delegate that prints what happens to the list of a fetched results controller, as a table view would animate it.
final class ListPrinter: FetchedResultsControllerDelegate {
  private let title: PropertyPath

  init(title: PropertyPath) {
    self.title = title
  }

  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {
    let name = object.string(at: title) ?? "?"
    switch change {
    case .insert(let place): print("list: \(name) was inserted at row \(place.item)")
    case .delete(let place): print("list: row \(place.item) was deleted")
    case .move(let place, let newPlace): print("list: \(name) moved from row \(place.item) to row \(newPlace.item)")
    case .update(let place, _): print("list: \(name) changed in row \(place.item)")
    }
  }
}
