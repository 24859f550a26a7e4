/// The faults that can occur in calls on the files of a trial's store. Thread-safe.
package protocol StoreFaults: Sendable {
  /// Lets a fault occur in a later call. Calls are counted from now on.
  ///
  /// - Parameters:
  ///   - fault: The fault. A power cut calls `willOccur` and changes no call.
  ///   - willOccur: A closure that is called on the thread of the call, before the call.
  func arm(_ fault: FileFault, willOccur: @escaping @Sendable () -> Void)
  /// The number of calls until the armed fault occurs, or 0 if it has occurred.
  var callsLeft: Int { get }
  /// Returns the paths of the files that the store has used, and their contents on a device whose power is cut now. The
  /// content is nil if the device does not have the file. The seed decides which changes that were not synced it has.
  func filesAfterPowerCut(seed: UInt64?) -> [(path: String, content: [UInt8]?)]
}

/// The error of a trial whose fault has not occurred.
package struct UnmetFault: Error, CustomStringConvertible {
  let fault: FileFault
  /// The number of calls of the fault's kinds in the import.
  package let callCount: Int

  package var description: String {
    "the import made \(callCount) such calls, so that \(fault) did not occur; "
      + (callCount > 0 ? "use 1 to \(callCount)" : "use another kind of fault or another journal mode")
  }
}
