import ContextEngine

// MARK: - Edits of the user

extension WiredStack {
  /// Returns the context in which the user makes the next edit on a screen: the context of a new form if the topology
  /// has one, and the screen's context otherwise. Call this method on the main queue.
  package func beginEdit(ofScreen screen: Int) -> ManagedObjectContext {
    guard let name = topology.editContext else { return uiContext(ofScreen: screen) }
    return make(description(name), number: screen)
  }

  /// Saves an edit. If the form is a child of the screen's context, that context is saved too, in the same block. Call
  /// this method on the main queue.
  ///
  /// - Throws: `PersistenceError` if one of the contexts cannot be saved. The edit is then in the screen's context if the
  ///   form has been saved.
  package func saveEdit(in context: ManagedObjectContext, ofScreen screen: Int) throws(PersistenceError) {
    try context.save()
    let shown = uiContext(ofScreen: screen)
    if context !== shown, context.parent === shown { try shown.save() }
  }
}
