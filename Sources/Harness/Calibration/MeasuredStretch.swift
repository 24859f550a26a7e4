/// A measured stretch of a calibration scenario, run through a C symbol of its own.
///
/// A profiler that counts instructions is told that symbol and so counts what is measured and nothing else.
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
      stackbenchMeasuredStretch(Unmanaged.passUnretained(stretch).toOpaque())
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

/// Runs the stretch that `context` points to.
@_cdecl("stackbench_measured_stretch") @inline(never)
func stackbenchMeasuredStretch(_ context: UnsafeMutableRawPointer) {
  Unmanaged<MeasuredStretch>.fromOpaque(context).takeUnretainedValue().run()
}
