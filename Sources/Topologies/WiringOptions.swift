import ContextEngine

/// What a run decides about a stack beside its topology.
package struct WiringOptions: Sendable {
  /// Of every context on the coordinator.
  package var mergePolicy: MergePolicy
  /// How many imports run at a time.
  package var laneCount: Int
  /// For each screen, the index of the entity that it shows.
  package var screenEntities: [Int]
  /// When a root between the UI and the store saves; without a meaning in other stacks.
  package var storeSave: StoreSave

  package init(
    mergePolicy: MergePolicy, laneCount: Int, screenEntities: [Int], storeSave: StoreSave = .immediate
  ) {
    self.mergePolicy = mergePolicy
    self.laneCount = laneCount
    self.screenEntities = screenEntities
    self.storeSave = storeSave
  }
}
