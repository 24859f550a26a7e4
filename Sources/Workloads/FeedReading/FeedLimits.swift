import MachineCore

/// The limits of a feed's records, which also limit the memory that reading takes.
///
/// A reader holds a window of the file and the tokens of one record. The window grows up to `maxRecordBytes`, and the
/// tokens take less than twice as much.
public struct FeedLimits: Hashable, Sendable {
  /// The largest size of a record in bytes. It also limits each other value that a feed holds beside its records.
  public var maxRecordBytes: Int
  /// The size in bytes of the window through which a file is read. The window grows if a record does not fit.
  public var windowBytes: Int

  /// The largest depth of nested lists and objects, counted from the outermost one.
  public static let maxDepth = 512
  /// The largest number of members of an object, and of different members in all records together.
  public static let maxMemberCount = 100_000
  /// The largest record size that a reader can be given.
  public static let largestRecordBytes = 1 << 29

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - maxRecordBytes: The largest size of a record, from 1 to `largestRecordBytes`.
  ///   - windowBytes: The size of the window, at least 1.
  public init(maxRecordBytes: Int = 16 << 20, windowBytes: Int = 256 << 10) {
    if !(1...Self.largestRecordBytes).contains(maxRecordBytes) || windowBytes < 1 {
      trapMisuse(
        "records of \(maxRecordBytes) bytes read through \(windowBytes) bytes; use 1 to \(Self.largestRecordBytes) "
          + "bytes for records, and at least 1 for the window")
    }
    self.maxRecordBytes = maxRecordBytes
    self.windowBytes = windowBytes
  }

  /// The largest number of values and names in one record. The tokens take eight bytes each.
  var maxTokenCount: Int { max(64, maxRecordBytes / 5) }
}
