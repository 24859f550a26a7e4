import MachineCore

/// A class of work whose costs differ between two computers by roughly the same factor.
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

  /// Creates the class of a part of a cost, or returns nil for a part that is not paid with a core.
  package init?(_ part: CostPart) {
    guard part.component.isCPU else { return nil }
    self = WorkClass.class(of: part.kind, isPerByte: part.component.isPerByte)
  }

  private static func `class`(of kind: Work.Kind, isPerByte: Bool) -> WorkClass {
    switch kind {
    case .perform, .performAndWait, .threadWoken, .coldStart, .timeSlept: .handOver
    case .statementPrepared, .storeRequest, .statementRun, .rowScanned, .rowSorted, .valueBound,
      .keyListed, .indexEntryWritten, .batchRowWritten, .textTested:
      .sqlite
    case .rowStepped, .rowWritten: isPerByte ? .memory : .sqlite
    case .commit, .pageRead, .pageWritten, .sync, .fullFlush: .systemCalls
    case .listElementPassed, .recordReceived: .memory
    case .contextMade, .notificationPosted, .saveBegun, .objectRegistered, .faultFired, .propertySet, .objectTested,
      .objectPushed, .changeMergedUnregistered, .changeMergedFault, .changeMergedRealised, .conflict,
      .controllerChange, .objectCompared, .cellRead, .recordDecoded, .recordApplied, .recordReleased, .objectReleased,
      .rowShared,
      .relationshipSet, .objectChanged, .objectDeleted, .fetchBegun, .insertionPushed, .insertionMerged, .mergeBegun,
      .notificationMerged, .changeRevisited:
      .objectGraph
    }
  }

  /// The parts of costs that belong to the class.
  package var parts: [CostPart] { CostPart.cpu.filter { WorkClass($0) == self } }

  /// The class as a group of costs with a factor.
  package func group(_ factor: ProfileConstant) -> CostGroup {
    CostGroup(name: rawValue, title: "work of the class \(rawValue)", parts: parts, factor: factor)
  }
}
