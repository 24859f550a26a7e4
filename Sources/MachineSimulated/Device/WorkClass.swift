import MachineCore

/// A class of work whose costs a computer changes alike: what two computers differ in, coarsely.
package enum WorkClass: String, CaseIterable, Sendable {
  /// Code of the engine and of the app on objects, rows and lists in memory.
  case objectGraph
  /// SQLite's own work, the building and binding of statements included.
  case sqlite
  /// Costs by the byte or by the element that depend on memory more than on code.
  case memory
  /// Calls of the system for a store's files.
  case systemCalls
  /// Handing work to a queue, and waking the thread that does it.
  case handOver

  /// Returns the class of a part of a cost, or nil for waiting for storage.
  package init?(_ part: CostPart) {
    guard part.component.followsSpeed else { return nil }
    self = WorkClass.class(of: part.kind, isPerByte: part.component.isPerByte)
  }

  private static func `class`(of kind: Work.Kind, isPerByte: Bool) -> WorkClass {
    switch kind {
    case .perform, .performAndWait, .threadWoken: .handOver
    case .commit, .statementPrepared, .storeRequest, .statementRun, .rowScanned, .rowSorted, .valueBound: .sqlite
    case .rowStepped, .rowWritten: isPerByte ? .memory : .sqlite
    case .pageRead, .pageWritten, .sync, .fullFlush: .systemCalls
    case .listElementPassed, .recordReceived: .memory
    case .contextMade, .notificationPosted, .saveBegun, .objectRegistered, .objectReleased, .faultFired, .propertySet,
      .objectTested, .objectPushed, .mergeBegun, .changeMergedUnregistered, .changeMergedFault, .changeMergedRealised,
      .conflict, .controllerChange, .objectCompared, .cellRead, .recordDecoded, .recordApplied:
      .objectGraph
    }
  }

  /// The parts of costs that belong to the class.
  package var parts: [CostPart] { CostPart.shared.filter { WorkClass($0) == self } }

  /// The class as a group of costs with a factor.
  package func group(_ factor: ProfileConstant) -> CostGroup {
    CostGroup(name: rawValue, title: "work of the class \(rawValue)", parts: parts, factor: factor)
  }
}
