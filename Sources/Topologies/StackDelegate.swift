import ContextEngine

/// The delegate of a wired stack, which does what a stack cannot do itself because it has no screens.
///
/// The stack holds its delegate strongly.
package protocol StackDelegate: AnyObject, Sendable {
  /// Called when a context has been made and before it is used, on the thread that made it.
  func stack(_ stack: WiredStack, didMake context: ManagedObjectContext)

  /// Called when a rule is about to post the merge of a save to the queue of `context`. It is called on the saving
  /// context's queue, for all contexts that merge the save before the first merge is posted.
  func stack(_ stack: WiredStack, willPostMergeOf save: SaveNotification, into context: ManagedObjectContext)

  /// Called when a rule has skipped the merge of a save into `context`, because everything in the save came from that
  /// context. It is called on the saving context's queue.
  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification, into context: ManagedObjectContext)

  /// Called at each stage of a merge of history that other coordinators have written: on the queue of the remote changes
  /// when it is posted, and on the context's queue when it begins and ends.
  func stack(_ stack: WiredStack, didReach stage: RemoteMergeStage, ofRemoteMergeInto context: ManagedObjectContext)

  /// Resets the UI contexts of these screens and fetches their lists again. It is called inside a block of the main
  /// queue.
  ///
  /// `payload` is the payload that led to it, or nil if an edit did.
  func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?)

  /// Called on the context's queue when a rule's or a put-off save has failed, and the context still holds its changes.
  ///
  /// It is also called when permanent IDs cannot be obtained before a save, which then continues with temporary IDs,
  /// and when the merge of a batch insert has failed, in which case there is no save.
  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError)
}

extension StackDelegate {
  /// Ignores the stage. Stacks with one coordinator have no such merges.
  package func stack(
    _ stack: WiredStack, didReach stage: RemoteMergeStage, ofRemoteMergeInto context: ManagedObjectContext
  ) {}
}
