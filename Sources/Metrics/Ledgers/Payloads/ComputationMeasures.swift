import MachineCore

/// The end of a computation whose input the user deletes while it runs.
package enum ComputationFate: Hashable, Sendable {
  /// The result is complete in the store.
  case applied
  /// The result met the deletion: an object or a row was gone, a save reported a conflict, or the deleted row came back.
  case failed
  /// The app found before a save that the input had changed.
  case discarded
  /// The user cancelled the computation.
  case cancelled
}

/// The measures of the computations of a trial.
package struct ComputationMeasures: Sendable {
  /// The ends of the computations, in order.
  package var fates: [ComputationFate]
  /// The number of inputs that exist at the end although the user has deleted them.
  package var restoredCount: Int
  /// The times from the user's wish to delete an input until the deletion was saved.
  package var waits: [TimeSpan]

  package init(fates: [ComputationFate], restoredCount: Int, waits: [TimeSpan]) {
    self.fates = fates
    self.restoredCount = restoredCount
    self.waits = waits
  }
}
