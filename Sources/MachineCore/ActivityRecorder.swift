/// A recorder of the activities of a machine's threads, for the observer of the main thread and for traces.
///
/// Every member concerns the calling thread, never blocks, and may be called by any thread. Recording takes no time on
/// a simulated machine, and almost none on threads without an observer. Code that begins activities often keeps the
/// recorder of its machine.
public protocol ActivityRecorder: AnyObject, Sendable {
  /// Reports that the thread begins an activity. Activities nest, and every `begin` needs an `end`.
  ///
  /// Use `during(_:of:in:body:)`, which calls both.
  ///
  /// - Parameters:
  ///   - activity: The activity that begins.
  ///   - objectCount: The number of objects that the activity concerns, as far as it is known yet.
  ///   - context: The name of the activity's context, or nil for the context of the activity around it.
  func begin(_ activity: Activity, of objectCount: Int, in context: String?)

  /// Reports that the thread ends the activity that it began last.
  func end(_ activity: Activity)

  /// Adds to the number of objects that the thread's innermost activity concerns.
  func add(objectCount: Int)

  /// Adds a note to the trace, if there is one.
  func add(_ note: TraceNote)

  /// Reports that the thread begins another SQL statement, or that its request has ended.
  ///
  /// - Parameters:
  ///   - statement: The statement that begins, or nil if the request has ended.
  ///   - unreported: Returns the work that the thread has done and will report later. It belongs to the previous
  ///     statement.
  func begin(_ statement: RunningStatement?, after unreported: () -> [Work])
}

extension ActivityRecorder {
  /// Runs a closure as one activity of the calling thread.
  ///
  /// - Parameters:
  ///   - activity: The activity that begins before the closure and ends after it, even if the closure throws.
  ///   - objectCount: The number of objects that the activity concerns, as far as it is known yet. The default is 0.
  ///   - context: The name of the activity's context, or nil for the context of the activity around it.
  ///   - body: The closure, which runs once on the calling thread.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @inlinable
  public func during<Result, Failure: Error>(
    _ activity: Activity, of objectCount: Int = 0, in context: String? = nil, body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin(activity, of: objectCount, in: context)
    defer { end(activity) }
    return try body()
  }
}
