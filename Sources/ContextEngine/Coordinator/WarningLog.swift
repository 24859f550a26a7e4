import Foundation
import MachineCore

/// Takes sentences about misuse that has no effect and stops nothing; thread-safe.
final class WarningLog: Sendable {
  private let handler = Guarded<(@Sendable (String) -> Void)?>(nil)

  /// Sets what a warning is given to; nil = standard error, as at first.
  func setHandler(_ body: (@Sendable (String) -> Void)?) {
    handler.withLock { $0 = body }
  }

  /// Hands a warning on. The handler runs without the lock.
  func write(_ sentence: String) {
    if let handler = handler.withLock({ $0 }) { return handler(sentence) }
    FileHandle.standardError.write(Data("warning: \(sentence)\n".utf8))
  }
}

extension PersistentStoreCoordinator {
  /// Sets what is called with each warning of the coordinator's contexts and objects, on the thread of the misuse.
  ///
  /// A warning is one sentence about a call that has no effect, such as setting a property of an object whose deletion was
  /// merged. Without a handler it is written to standard error, where Core Data logs “Mutating a managed object … after it has
  /// been removed from its context”.
  ///
  /// - Parameter body: nil = standard error again.
  public func onWarning(_ body: (@Sendable (String) -> Void)?) {
    warnings.setHandler(body)
  }
}
