import Foundation
import MachineCore

/// Writes warnings: one sentence each about a call that has no effect. Thread-safe.
final class WarningLog: Sendable {
  private let handler = Guarded<(@Sendable (String) -> Void)?>(nil)

  /// Sets the closure that is called with each warning. If it is nil (the default), warnings are written to standard
  /// error.
  func setHandler(_ body: (@Sendable (String) -> Void)?) {
    handler.withLock { $0 = body }
  }

  /// Writes a warning. The lock is not held while the handler runs.
  func write(_ sentence: String) {
    if let handler = handler.withLock({ $0 }) { return handler(sentence) }
    FileHandle.standardError.write(Data("warning: \(sentence)\n".utf8))
  }
}

extension PersistentStoreCoordinator {
  /// Sets a closure that is called with each warning of the coordinator's contexts and objects, on the thread that
  /// caused it.
  ///
  /// A warning is one sentence about a call that has no effect, such as setting a property of an object whose deletion
  /// was merged. Without a closure, warnings are written to standard error, where Core Data logs “Mutating a managed
  /// object … after it has been removed from its context”.
  ///
  /// - Parameter body: The closure, or nil to write warnings to standard error again.
  public func onWarning(_ body: (@Sendable (String) -> Void)?) {
    warnings.setHandler(body)
  }
}
