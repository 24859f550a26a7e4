import MachineCore

/// A record of a feed.
///
/// A record refers to memory of its reader, which the reader uses again for the next record. Copy what is needed from
/// it. Using a record after its reader has moved on stops the process with a message.
public struct FeedRecord {
  let buffer: RecordBuffer
  let number: Int

  /// The index of the record in the feed. The first record has the index 0.
  public var index: Int { current.index }

  /// The offset of the record's first byte in the file.
  public var offset: Int { current.offset }

  /// The number of the line in the file on which the record begins, counted from 1.
  public var line: Int { current.cursor.window.place(of: current.offset).line }

  /// The largest depth of nested lists and objects in the record as it is written in the file. A record of scalars has
  /// the depth 1.
  public var depth: Int { current.cursor.textDepth }

  /// The members of the record in the order of the file. A dictionary's name comes first, and members that are lifted
  /// come at the place of the object that held them.
  public var members: FeedMembers { FeedMembers(record: self, buffer: current) }

  /// Returns the value of a member, or nil if the record has no member of this name.
  ///
  /// - Parameter name: The name of the member. Names are compared by their bytes.
  public subscript(_ name: String) -> FeedValue? {
    let buffer = current
    var name = name
    guard let number = name.withUTF8({ buffer.names.number(of: $0) }) else { return nil }
    return buffer.token(of: number).map { value(ofToken: $0) }
  }

  /// Returns the value of a member, or nil if the record has no such member. It takes constant time.
  ///
  /// - Parameter member: The identity of the member, which the record's reader has given.
  public subscript(_ member: FeedMemberID) -> FeedValue? {
    if member.names != ObjectIdentifier(current.names) {
      trapMisuse("a member was looked up by the identity that another reader has given")
    }
    return buffer.token(of: member.number).map { value(ofToken: $0) }
  }

  @inline(__always)
  func value(ofToken index: Int) -> FeedValue {
    TokenReference(buffer: buffer, record: number, index: index).value
  }

  /// The buffer, which must still hold this record.
  @inline(__always)
  private var current: RecordBuffer {
    if buffer.number != number {
      trapMisuse("a record was used after its reader had moved on; copy what is needed from it first")
    }
    return buffer
  }
}

/// The identity of a member's name in the records of one reader. Looking up a value by it needs no comparison of names.
public struct FeedMemberID: Hashable, Sendable {
  let number: Int
  let names: ObjectIdentifier
}

/// The members of a record.
public struct FeedMembers: RandomAccessCollection {
  let record: FeedRecord
  let buffer: RecordBuffer

  /// The index of the first member, which is 0.
  public var startIndex: Int { 0 }

  /// The number of members.
  public var endIndex: Int { buffer.memberNames.count }

  /// Returns a member by its index.
  ///
  /// - Parameter index: The index of the member, from 0.
  public subscript(_ index: Int) -> (id: FeedMemberID, value: FeedValue) {
    let id = FeedMemberID(number: buffer.memberNames[index], names: ObjectIdentifier(buffer.names))
    return (id, record.value(ofToken: buffer.memberTokens[index]))
  }
}
