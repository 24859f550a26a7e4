import ContextEngine

/// What a run decides about a stack beside its topology.
package struct WiringOptions: Sendable {
  /// Of every context on the coordinator.
  package var mergePolicy: MergePolicy
  /// How many imports run at a time.
  package var laneCount: Int
  /// For each screen, the index of the entity that it shows.
  package var screenEntities: [Int]

  package init(mergePolicy: MergePolicy, laneCount: Int, screenEntities: [Int]) {
    self.mergePolicy = mergePolicy
    self.laneCount = laneCount
    self.screenEntities = screenEntities
  }
}
