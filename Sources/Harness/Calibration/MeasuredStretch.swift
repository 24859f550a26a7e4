/// A measured stretch of a calibration scenario, run through a function of its own.
///
/// A profiler that counts instructions is given the name of `runMeasuredStretch` and so counts what is measured and
/// nothing else.
final class MeasuredStretch {
  private let body: () throws -> Void
  private var failure: (any Error)?

  init(_ body: @escaping () throws -> Void) {
    self.body = body
  }

  /// Runs the stretch on this thread.
  ///
  /// - Throws: what the stretch throws.
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

/// Runs a stretch; never inlined, so that a profiler finds it by its name.
@inline(never)
func runMeasuredStretch(_ stretch: MeasuredStretch) {
  stretch.run()
}
