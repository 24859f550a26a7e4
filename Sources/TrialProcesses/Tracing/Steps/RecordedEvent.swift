import MachineCore

/// An event of a machine's schedule that stories show, or a note, with its thread and its instant.
package struct RecordedEvent: Hashable, Sendable, Codable {
  /// The event or the note.
  package var content: Content
  /// The number of the thread: 0 for the main thread, 1 for the driver.
  package var strand: Int
  /// The instant of the event.
  package var instant: Instant

  /// Creates a recorded event.
  package init(_ content: Content, strand: Int, at instant: Instant) {
    self.content = content
    self.strand = strand
    self.instant = instant
  }

  /// The contents of events. Queues and activities are known by their names.
  package enum Content: Hashable, Sendable, Codable {
    /// The thread begins a block with the number of its post, or the body of a `sync` that a thread called.
    case bodyBegan(queue: String, post: Int?, caller: Int?)
    case bodyEnded
    case activityBegan(String)
    case activityEnded
    case waitBegan(String, holder: Int?)
    case waitEnded
    case posted(queue: String, number: Int, isDelayed: Bool)
    case statement(connection: String, sql: String)
    /// The preceding statement was run this number of further times.
    case repeated(Int)
    case noted(Note)

    /// Creates the content for an event of a machine, or nil for an event that stories do not show.
    package init?(_ event: ScheduleEvent) {
      switch event {
      case .bodyBegan(let queue, _, .post(let number)):
        self = .bodyBegan(queue: queue.label, post: number, caller: nil)
      case .bodyBegan(let queue, _, .call(let caller)):
        self = .bodyBegan(queue: queue.label, post: nil, caller: caller)
      case .bodyEnded: self = .bodyEnded
      case .activityBegan(let activity): self = .activityBegan(activity.title)
      case .activityEnded: self = .activityEnded
      case .waitBegan(let label, let holder): self = .waitBegan(label, holder: holder)
      case .waitEnded: self = .waitEnded
      case .posted(let queue, let number, _, let due):
        self = .posted(queue: queue.label, number: number, isDelayed: due != nil)
      case .connection(let name, .statement(let sql)):
        // The connection of a query generation has no name.
        self = .statement(connection: name.isEmpty ? "its own connection" : name, sql: sql)
      case .connection, .coreTaken, .coreLeft, .storageBegan, .storageEnded, .worked, .noted: return nil
      }
    }
  }
}
