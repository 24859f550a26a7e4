import Glibc
import MachineCore

/// The time for which threads were runnable without a core, which measures the noise that other programs make.
public enum RunQueueWait {
  /// Returns the time that the calling thread has waited for a core since it began, or nil if the system does not
  /// report it.
  ///
  /// A call costs some 5 µs.
  public static func current() -> TimeSpan? {
    let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // The file holds three integers: nanoseconds on a core, nanoseconds waiting for one, slices run.
    return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
      guard fields.count >= 2 else { return nil }
      return Int64(String(decoding: fields[1], as: UTF8.self)).map(TimeSpan.init(nanoseconds:))
    }
  }
}
