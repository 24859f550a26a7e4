/// The scenarios of the program, in the order in which lists and pages have them.
package enum ScenarioLibrary {
  /// All scenarios.
  package static let all: [Scenario] = [
    .childFetchBlocksMain, .waitForChildSave, .controllerFirstFetch, .mergeWaitsForStore, .overtakingSave, .temporaryID,
    .siblingConflict, .findOrCreateRace, .predicateMissesUpdate, .reusedChild, .childBatchSize, .mergeFiresFaults,
    .oneCommit, .unsavedParent, .decodeOnMain, .lockIsNoQueue, .siblingsByNotification, .objectAcrossReset,
    .endlessReader,
  ]
}
