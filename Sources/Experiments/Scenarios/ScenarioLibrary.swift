/// The scenarios of the program, in the order in which lists and pages have them: group by group.
package enum ScenarioLibrary {
  /// All scenarios.
  package static let all: [Scenario] = stops + wrongData + slowness

  private static let stops: [Scenario] = [
    .waitForChildSave, .controllerFirstFetch, .stopsSometimes, .lockIsNoQueue, .siblingsByNotification,
    .objectAcrossReset,
  ]
  private static let wrongData: [Scenario] = [
    .temporaryID, .childKeepsTemporaryID, .siblingConflict, .overtakingSave, .deletedUnderChild, .findOrCreateRace,
    .predicateMissesUpdate, .reusedChild, .workerMergesAutomatically, .staleCoordinator, .foreignNotification,
  ]
  private static let slowness: [Scenario] = [
    .childFetchBlocksMain, .performAndWaitFromMain, .mainSavesMuch, .decodeOnMain, .mergeFiresFaults,
    .mergeWaitsForStore, .manyObservers, .fetchesKnownObjects, .childBatchSize, .unsavedParent, .oneCommit,
    .endlessReader,
  ]
}
