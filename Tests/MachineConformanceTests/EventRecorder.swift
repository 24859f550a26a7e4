import MachineCore
import TestSupport

/// An observer of the main thread that keeps all events.
final class EventRecorder: MainThreadObserver {
  enum Event: Equatable, Sendable {
    case blockBegan
    case blockEnded
    case began(Activity)
    case ended(Activity)
    case waitBegan(String)
    case waitEnded
  }

  struct Entry: Sendable {
    var event: Event
    var instant: Instant
    var cpu: MachineCore.TimeSpan?
    /// The state of the thread that had the queue or lock of a wait.
    var holder: TurnHolder?
    /// The context of an activity, and the number of its objects when it begins.
    var context: String?
    var objectCount = 0
  }

  private let journal = Journal<Entry>()
  /// The texts of the statements that began, and an empty text for the end of a request.
  let statements = Journal<String>()

  var entries: [Entry] { journal.entries }

  /// The activities and waits, without their times and without blocks.
  var activitiesAndWaits: [Event] {
    entries.map(\.event).filter { $0 != .blockBegan && $0 != .blockEnded }
  }

  func blockBegan(at instant: Instant, cpu: MachineCore.TimeSpan) {
    journal.write(Entry(event: .blockBegan, instant: instant, cpu: cpu))
  }

  func blockEnded(at instant: Instant, cpu: MachineCore.TimeSpan) {
    journal.write(Entry(event: .blockEnded, instant: instant, cpu: cpu))
  }

  func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Instant) {
    journal.write(
      Entry(event: .began(activity), instant: instant, context: context, objectCount: objectCount))
  }

  func activityEnded(_ activity: Activity, at instant: Instant) {
    journal.write(Entry(event: .ended(activity), instant: instant))
  }

  func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Instant) {
    journal.write(Entry(event: .waitBegan(label), instant: instant, holder: holder))
  }

  func statementBegan(_ statement: RunningStatement?, at instant: Instant) {
    statements.write(statement?.text ?? "")
  }

  func waitEnded(at instant: Instant) {
    journal.write(Entry(event: .waitEnded, instant: instant))
  }

  /// Returns the first fault in the nesting of events, or nil if each end closes the event that began last and blocks
  /// are outermost.
  static func nestingFault(in events: [Event]) -> String? {
    var open: [Event] = []
    for (index, event) in events.enumerated() {
      switch event {
      case .blockBegan:
        if !open.isEmpty { return "a block began inside \(open) at \(index)" }
        open.append(event)
      case .began, .waitBegan:
        if open.isEmpty { return "\(event) outside a block at \(index)" }
        if case .waitBegan = open.last { return "\(event) inside a wait at \(index)" }
        open.append(event)
      case .blockEnded, .ended, .waitEnded:
        guard let began = open.popLast(), event.ends(began) else { return "\(event) closes nothing at \(index)" }
      }
    }
    return open.isEmpty ? nil : "\(open) never ended"
  }
}

extension EventRecorder.Event {
  fileprivate func ends(_ other: Self) -> Bool {
    switch (other, self) {
    case (.blockBegan, .blockEnded), (.waitBegan, .waitEnded): true
    case (.began(let left), .ended(let right)): left == right
    default: false
    }
  }
}
