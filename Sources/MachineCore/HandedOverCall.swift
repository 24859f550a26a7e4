/// A body that another thread runs while its caller is parked.
// `@unchecked`: the caller fills it before appending it to the line, then only the main thread accesses it until that
// thread wakes the caller, and afterwards only the caller. The machine's line and its wake-ups order these three.
package class HandedOverCall: @unchecked Sendable {
  /// The role of the caller, in which the body runs.
  package let role: WorkRole

  init(role: WorkRole) {
    self.role = role
  }

  /// Runs the body, if the call has one.
  package func perform() {}
}

/// A call with a typed result and a typed error.
// `@unchecked`: for the same reason as the class above.
package final class TypedHandedOverCall<Result, Failure: Error>: HandedOverCall, @unchecked Sendable {
  private var body: (() throws(Failure) -> Result)?
  private var outcome: Swift.Result<Result, Failure>?

  package init(role: WorkRole, body: @escaping () throws(Failure) -> Result) {
    self.body = body
    super.init(role: role)
  }

  /// Runs the body and keeps its result or error. A second call has no effect.
  // The function is not inlined, and it takes the body out, so that the body is released when the function returns. The
  // caller wakes after that, and would trap if another thread still held a closure that must not escape.
  @inline(never)
  package override func perform() {
    guard let body = body.take() else { return }
    do throws(Failure) {
      outcome = .success(try body())
    } catch {
      outcome = .failure(error)
    }
  }

  /// Returns the result of the body or throws its error. Call it once, after the body has run; it traps otherwise.
  package func takeOutcome() throws(Failure) -> Result {
    guard let outcome = outcome.take() else { trapMisuse("A caller of `sync` was woken before its body had run.") }
    return try outcome.get()
  }
}
