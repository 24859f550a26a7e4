import ContextEngine

// MARK: - Work in the background that is not an import

extension WiredStack {
  /// Indicates whether work in the background uses the main queue, because the import does.
  package var hasBackgroundWorkOnMain: Bool { description(topology.importContext).queue == .main }

  /// Returns a context for work in the background, wired as the contexts of the import are.
  ///
  /// It is another context than the lanes use if the import has one for each lane or for each payload. Otherwise it is
  /// the import's, or the next one of its pool.
  package func backgroundContext() -> ManagedObjectContext {
    guard description(topology.importContext).lifetime == .lane, options.hasBackgroundWork else {
      return beginPayload(lane: 0)
    }
    return context(topology.importContext, number: options.laneCount)
  }
}
