/// A measured stretch of a calibration scenario, which runs inside the function `runMeasuredStretch`.
///
/// A profiler that is given the name of this function counts the instructions of the measured work only.
final class MeasuredStretch {
  private let body: () throws -> Void
  private var failure: (any Error)?

  init(_ body: @escaping () throws -> Void) {
    self.body = body
  }

  /// Runs the stretch on this thread.
  ///
  /// - Throws: The error of the stretch.
  static func run(_ body: () throws -> Void) throws {
    try withoutActuallyEscaping(body) { body in
      let stretch = MeasuredStretch(body)
      runMeasuredStretch(stretch)
      if let failure = stretch.failure { throw failure }
    }
  }

  fileprivate func run() {
    do {
      try body()
    } catch {
      failure = error
    }
  }
}

/// Runs a stretch. The function is never inlined, so that a profiler finds it by its name.
@inline(never)
func runMeasuredStretch(_ stretch: MeasuredStretch) {
  stretch.run()
}
