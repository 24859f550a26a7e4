import Dispatch
import MachineCore

/// A body that another thread runs while its caller is parked.
// `@unchecked`: the caller fills it before it is put in line, the main thread alone touches it until it signals, the
// caller alone afterwards; the line's lock and the semaphore order these three.
class ParkedCall: @unchecked Sendable {
  /// The caller's role, in which the body runs.
  let role: WorkRole

  /// What the caller is parked on.
  let caller: DispatchSemaphore

  init(role: WorkRole, caller: DispatchSemaphore) {
    self.role = role
    self.caller = caller
  }

  func perform() {}
}

/// The call with its types: it keeps the result, or the error as what it is.
// `@unchecked`: as the class above.
final class TypedParkedCall<Result, Failure: Error>: ParkedCall, @unchecked Sendable {
  private var body: (() throws(Failure) -> Result)?
  private var outcome: Swift.Result<Result, Failure>?

  init(role: WorkRole, caller: DispatchSemaphore, body: @escaping () throws(Failure) -> Result) {
    self.body = body
    super.init(role: role, caller: caller)
  }

  // Not inlined, and the body is taken out: it must be released when this returns. The caller wakes after that, and
  // would trap if another thread still held a closure that must not escape.
  @inline(never)
  override func perform() {
    guard let body = body.take() else { return }
    do throws(Failure) {
      outcome = .success(try body())
    } catch {
      outcome = .failure(error)
    }
  }

  /// The result of the body, or its error; to be called once, after the body has run.
  func takeOutcome() throws(Failure) -> Result {
    guard let outcome = outcome.take() else { trapMisuse("A caller of `sync` was woken before its body had run.") }
    return try outcome.get()
  }
}
