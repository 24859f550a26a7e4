/// A body that another thread runs while its caller is parked.
// `@unchecked`: the caller fills it before it is put in line, the main thread alone touches it until it wakes the caller,
// the caller alone afterwards; the machine's line and its way of waking order these three.
package class HandedOverCall: @unchecked Sendable {
  /// The caller's role, in which the body runs.
  package let role: WorkRole

  init(role: WorkRole) {
    self.role = role
  }

  package func perform() {}
}

/// The call with its types: it keeps the result, or the error as what it is.
// `@unchecked`: as the class above.
package final class TypedHandedOverCall<Result, Failure: Error>: HandedOverCall, @unchecked Sendable {
  private var body: (() throws(Failure) -> Result)?
  private var outcome: Swift.Result<Result, Failure>?

  package init(role: WorkRole, body: @escaping () throws(Failure) -> Result) {
    self.body = body
    super.init(role: role)
  }

  // Not inlined, and the body is taken out: it must be released when this returns. The caller wakes after that, and
  // would trap if another thread still held a closure that must not escape.
  @inline(never)
  package override func perform() {
    guard let body = body.take() else { return }
    do throws(Failure) {
      outcome = .success(try body())
    } catch {
      outcome = .failure(error)
    }
  }

  /// The result of the body, or its error; to be called once, after the body has run.
  package func takeOutcome() throws(Failure) -> Result {
    guard let outcome = outcome.take() else { trapMisuse("A caller of `sync` was woken before its body had run.") }
    return try outcome.get()
  }
}
