/// Advice for developers who write an app with a topology: the context to use for one purpose, and the reason.
package struct ContextUse: Codable, Hashable, Sendable {
  package enum Purpose: String, Codable, Hashable, Sendable, CaseIterable {
    case userInterface = "UI"
    case background = "background work"
    /// Changes that the user may take back as a whole, such as those made in a form with a Cancel button.
    case undo
    /// Objects that are held while other contexts save.
    case longLived = "long-lived objects"
  }

  package var purpose: Purpose
  /// The name of one of the topology's contexts, or a description of how to make one.
  package var context: String
  /// The reason as half a sentence, without a full stop.
  package var reason: String
  /// The publication or documentation that the reason is taken from.
  package var source: String

  package init(_ purpose: Purpose, _ context: String, because reason: String, source: String) {
    self.purpose = purpose
    self.context = context
    self.reason = reason
    self.source = source
  }
}

// MARK: - Advice for several topologies

extension ContextUse {
  /// The advice on undo for stacks whose UI context keeps its objects.
  static let undoInChildOfMain = ContextUse(
    .undo, "a new main-queue child of main",
    because: "a scratch pad: its save moves the changes into main, and its release discards them",
    source: "Hudl Technique, 'Choosing a MOC'; WWDC 2012, 214")

  /// The advice on undo for stacks that reset the UI context while its objects are in use.
  static let undoBesideTheUI = ContextUse(
    .undo, "a new main-queue context on the coordinator",
    because: "a reset of the UI's context does not affect it, and its release discards its changes",
    source: "NSManagedObjectContext, reset()")

  static let onlyObjectIDsLast = ContextUse(
    .longLived, "none; keep object IDs",
    because: "each reset removes all objects from the UI's context: look them up by ID or fetch them again",
    source: "NSManagedObjectContext, reset()")

  static func lastsInMain(_ reason: String, source: String) -> ContextUse {
    ContextUse(.longLived, "main", because: reason, source: source)
  }
}
