import ContextEngine
import MachineCore

/// The ways in which an app runs code on a context's queue, whether the context has a queue or is confined to one of the
/// app's.
extension ManagedObjectContext {
  /// Runs `body` asynchronously on the context's queue, as a separate event. If the context is confined, the app posts
  /// the block to the queue itself.
  package func post(_ body: @escaping @Sendable () -> Void) {
    guard let confiningQueue else { return perform(body) }
    confiningQueue.async { [self] in event(body) }
  }

  /// Runs `body` on the context's queue and returns its result. Blocks until the queue is free.
  package func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard let confiningQueue else { return try performAndWait(body) }
    return try confiningQueue.sync { () throws(Failure) -> Result in try event(body) }
  }
}
