import Glibc

/// The core of this computer that a simulated machine's threads are bound to.
enum HostCore {
  /// The core that the calling thread runs on; nil where the system does not tell.
  static var current: Int? {
    guard let number = getCore?(), number >= 0 else { return nil }
    return Int(number)
  }

  /// Binds the calling thread to one core; where the system refuses, nothing changes but speed.
  static func bind(to core: Int) {
    guard core >= 0, core < 1_024 else { return }
    var mask = [UInt64](repeating: 0, count: 16)
    mask[core / 64] = 1 << UInt64(core % 64)
    _ = setAffinity?(0, mask.count * 8, mask)
  }

  // Both are declared by <sched.h> only under `_GNU_SOURCE`, so Swift does not import them.
  private static let getCore: (@convention(c) () -> Int32)? =
    dlsym(nil, "sched_getcpu").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }
  private static let setAffinity: (@convention(c) (Int32, Int, UnsafePointer<UInt64>) -> Int32)? =
    dlsym(nil, "sched_setaffinity").map {
      unsafeBitCast($0, to: (@convention(c) (Int32, Int, UnsafePointer<UInt64>) -> Int32).self)
    }
}
