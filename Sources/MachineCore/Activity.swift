/// A kind of activity that measurements distinguish on a thread, such as a fetch.
///
/// A module declares its activities as static constants in an extension. An activity of any thread may set the role to
/// which the thread's work is accounted.
public struct Activity: Hashable, Sendable {
  /// The number of the activity. Activities are numbered from 0 in the order in which a process first uses them.
  package let number: UInt8

  /// The role of work inside this activity, or nil if work keeps the role that it has.
  public let role: WorkRole?

  /// Creates the activity with a title. Takes a lock, so an activity is created once and kept.
  ///
  /// Activities with the same title are equal. Traps if the title was used with another role, and if the process has
  /// more than 255 activities.
  public init(_ title: String, role: WorkRole? = nil) {
    number = Self.declared.withLock { declared in
      if let known = declared.firstIndex(where: { $0.title == title }) {
        guard declared[known].role == role else { trapMisuse("The activity “\(title)” was declared with two roles.") }
        return UInt8(known)
      }
      guard declared.count < Int(UInt8.max) else { trapMisuse("A process has at most 255 activities.") }
      declared.append(Declaration(title: title, role: role))
      return UInt8(declared.count - 1)
    }
    self.role = role
  }

  /// Returns the activity with a number, or nil if no activity has it.
  package init?(number: UInt8) {
    guard let known = Self.declared.withLock({ $0.indices.contains(Int(number)) ? $0[Int(number)] : nil }) else {
      return nil
    }
    self.number = number
    role = known.role
  }

  /// The name of the activity in results. Takes a lock.
  public var title: String { Self.declared.withLock { $0[Int(number)].title } }

  private struct Declaration: Sendable {
    var title: String
    var role: WorkRole?
  }

  /// The declarations by the numbers of the activities.
  private static let declared = Guarded<[Declaration]>([])
}

extension Activity: CustomStringConvertible {
  /// The title of the activity.
  public var description: String { title }
}
