import ContextEngine

/// Hears from a wired stack and does what a stack cannot do itself: it has no screens.
///
/// Held weakly by nobody: the stack keeps it as long as it lives.
package protocol StackDelegate: AnyObject, Sendable {
  /// A context was made, before it is used; on whichever thread made it.
  func stack(_ stack: WiredStack, didMake context: ManagedObjectContext)

  /// A rule posted a merge of a save to a context's queue; on the saving context's queue.
  func stack(_ stack: WiredStack, didPostMergeOf save: SaveNotification)

  /// A rule let a save go by without a merge, because all that it carried came from where it would be merged into; on
  /// the saving context's queue.
  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification)

  /// Resets the UI contexts of these screens and fetches their lists again; inside a block of the main queue.
  ///
  /// `payload` is the one that led to it, nil where an edit did.
  func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?)

  /// A save that a rule asked for failed; on the context's queue. The context still holds its changes.
  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError)
}
