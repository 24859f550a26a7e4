import MachineCore
import TrialProcesses

/// One entry in the recording of a side: an event of the machine or a note of the program, with its thread and instant.
package struct Entry: Hashable, Sendable, Codable {
  /// The number of the thread: 0 for the main thread, 1 for the thread of the program.
  package var thread: Int
  /// The instant of the entry.
  package var instant: Instant
  /// The event or the note.
  package var content: Content

  /// The contents of entries.
  package enum Content: Hashable, Sendable, Codable {
    case bodyBegan(queue: String, number: Int, role: UInt8, post: Int?, caller: Int?)
    case bodyEnded(queue: String, number: Int)
    case activityBegan(title: String, role: UInt8?)
    case activityEnded(title: String, role: UInt8?)
    case waitBegan(label: String, holder: Int?)
    case waitEnded
    case posted(queue: String, number: Int, post: Int, role: UInt8)
    case statement(connection: String, sql: String)
    /// The preceding statement was run this number of further times.
    case repeated(Int)
    case noted(Note)
  }

  /// Creates an entry.
  package init(thread: Int, instant: Instant, _ content: Content) {
    self.thread = thread
    self.instant = instant
    self.content = content
  }
}

// MARK: - Events of the machine

extension Entry.Content {
  /// Creates the content for an event of the machine, or nil for an event that recordings leave out.
  init?(_ event: ScheduleEvent) {
    switch event {
    case .bodyBegan(let queue, let role, .post(let post)):
      self = .bodyBegan(queue: queue.label, number: queue.number, role: role.rawValue, post: post, caller: nil)
    case .bodyBegan(let queue, let role, .call(let caller)):
      self = .bodyBegan(queue: queue.label, number: queue.number, role: role.rawValue, post: nil, caller: caller)
    case .bodyEnded(let queue): self = .bodyEnded(queue: queue.label, number: queue.number)
    case .activityBegan(let activity):
      self = .activityBegan(title: activity.title, role: activity.role?.rawValue)
    case .activityEnded(let activity):
      self = .activityEnded(title: activity.title, role: activity.role?.rawValue)
    case .waitBegan(let label, let holder): self = .waitBegan(label: label, holder: holder)
    case .waitEnded: self = .waitEnded
    case .posted(let queue, let post, let role, nil):
      self = .posted(queue: queue.label, number: queue.number, post: post, role: role.rawValue)
    case .connection(let name, .statement(let sql)):
      // The connection of a query generation has no name.
      self = .statement(connection: name.isEmpty ? "its own connection" : name, sql: sql)
    case .posted, .connection, .coreTaken, .coreLeft, .storageBegan, .storageEnded, .worked, .noted: return nil
    }
  }

  /// The event of the machine, or nil for other contents.
  var event: ScheduleEvent? {
    switch self {
    case .bodyBegan(let label, let number, let role, let post, let caller):
      let cause: ScheduleEvent.BodyCause = post.map { .post($0) } ?? .call(from: caller ?? ScheduleThreads.driver)
      return .bodyBegan(
        queue: ScheduleQueue(label: label, number: number), role: Self.role(role), cause: cause)
    case .bodyEnded(let label, let number): return .bodyEnded(queue: ScheduleQueue(label: label, number: number))
    case .activityBegan(let title, let role): return .activityBegan(Activity(title, role: role.map(Self.role)))
    case .activityEnded(let title, let role): return .activityEnded(Activity(title, role: role.map(Self.role)))
    case .waitBegan(let label, let holder): return .waitBegan(for: label, holder: holder)
    case .waitEnded: return .waitEnded
    case .posted(let label, let number, let post, let role):
      return .posted(
        queue: ScheduleQueue(label: label, number: number), number: post, role: Self.role(role), due: nil)
    case .statement(let connection, let sql): return .connection(connection, .statement(sql))
    case .repeated, .noted: return nil
    }
  }

  private static func role(_ number: UInt8) -> WorkRole { WorkRole(rawValue: number) ?? .background }
}
