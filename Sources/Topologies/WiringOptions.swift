import ContextEngine

/// The choices that a run makes about a stack in addition to its topology.
package struct WiringOptions: Sendable {
  /// The merge policy of the contexts on the coordinator whose descriptions do not set one.
  package var mergePolicy: MergePolicy
  /// The number of imports that run at a time.
  package var laneCount: Int
  /// The index of the entity that each screen shows.
  package var screenEntities: [Int]
  /// The times at which a root between the UI and the store saves. It has no effect in other stacks.
  /// The default is `immediate`.
  package var storeSave: StoreSave
  /// The author that history records for the transactions of the first coordinator's contexts. If it is nil, the author
  /// is `app` if there are several coordinators, and otherwise there is no author.
  package var author: String?
  /// Indicates whether the app has work in the background in addition to the imports. The default is false.
  package var hasBackgroundWork: Bool

  package init(
    mergePolicy: MergePolicy, laneCount: Int, screenEntities: [Int], storeSave: StoreSave = .immediate,
    author: String? = nil, hasBackgroundWork: Bool = false
  ) {
    self.mergePolicy = mergePolicy
    self.laneCount = laneCount
    self.screenEntities = screenEntities
    self.storeSave = storeSave
    self.author = author
    self.hasBackgroundWork = hasBackgroundWork
  }
}
