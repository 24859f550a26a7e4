import MachineCore

/// Chooses the order in which the threads of a simulated machine go on, and records the choices.
///
/// A machine without an explorer follows the costs of its device: the strand with the earliest event runs next. With an
/// explorer, any strand that can run may run at each call of the seam, and timers may fire early or late, as if the
/// device's threads were as slow as the schedule needs. Virtual time never goes back.
///
/// Use a new explorer for each run.
// `@unchecked`: everything is accessed only with the baton, or after the run.
package final class ScheduleExplorer: @unchecked Sendable {
  /// The decisions of the run, in order.
  package private(set) var decisions: [Decision] = []
  /// The events of strands that can run now, in the order in which they were scheduled.
  var runnable: [StrandEvent] = []

  /// The time ahead, in nanoseconds, beyond which a timer fires only if no thread can run. Programs wait so long for
  /// everything else to come to rest.
  private static let horizon: Int64 = 10_000_000_000

  private let rule: Rule
  private var random: SeededRandom
  private var priorities: [UInt64] = []
  /// The priority of the timers, which is drawn anew each time that one fires, so that no thread that can run waits for
  /// ever.
  private var timerPriority: UInt64 = 0
  private var lowestPriority: UInt64 = 1 << 32
  /// The order of the events on each queue and lock.
  private var orders: [UInt64] = []

  /// A point at which more than one choice was possible.
  package struct Decision: Hashable, Sendable {
    package var choice: Int
    package var choiceCount: Int
    /// The virtual time of the decision.
    package var instant: Instant
  }

  private enum Rule {
    case random
    case priorities(changes: Set<Int>)
    case deviations([Int: Int])
  }

  package init(_ search: ScheduleSearch) {
    switch search {
    case .random(let seed):
      rule = .random
      random = SeededRandom(seed: seed, stream: "schedule")
    case .priorities(let seed, let depth, let length):
      var drawn = SeededRandom(seed: seed, stream: "priorities")
      rule = .priorities(changes: Set((0..<depth).map { _ in drawn.below(max(1, length)) }))
      random = drawn
    case .deviations(let deviations):
      rule = .deviations(Dictionary(deviations.map { ($0.decision, $0.choice) }) { _, last in last })
      random = SeededRandom(seed: 0)
    }
    timerPriority = drawnTimerPriority()
  }

  /// A number that is the same for runs in which each queue, each lock and the store served the same requests in the same
  /// order. It does not depend on instants, or on the order of events that have nothing in common. Read it after the run.
  package var order: UInt64 { orders.reduce(0) { $0 &+ Self.mix($1, 0) } }
}

extension [ScheduleExplorer.Decision] {
  /// The choices that were not 0.
  package var deviations: [ScheduleSearch.Deviation] {
    enumerated().filter { $1.choice > 0 }.map { ScheduleSearch.Deviation(decision: $0, choice: $1.choice) }
  }
}

// MARK: - Choices

extension ScheduleExplorer {
  /// Chooses the strand that runs next.
  ///
  /// - Parameters:
  ///   - current: The number of the strand that ran last.
  ///   - timer: The instant of the earliest timer, or nil.
  ///   - clock: The present instant.
  /// - Returns: The event of the strand, or nil if the earliest timer fires or no strand can run.
  func next(after current: Int, timer: Int64?, at clock: Int64) -> StrandEvent? {
    guard !runnable.isEmpty else { return nil }
    let timer = timer.flatMap { $0 - clock <= Self.horizon ? $0 : nil }
    let first = runnable.firstIndex { $0.strand == current } ?? 0
    let count = runnable.count + (timer == nil ? 0 : 1)
    var choice = 0
    if count > 1 {
      choice = chosen(of: count, first: first, timer: timer, at: clock)
      decisions.append(Decision(choice: choice, choiceCount: count, instant: Instant(nanoseconds: clock)))
    }
    guard choice < runnable.count else {
      timerPriority = drawnTimerPriority()
      return nil
    }
    return runnable.remove(at: place(of: choice, first: first))
  }

  /// Returns the place in `runnable` of a choice: the strand that ran last is choice 0.
  private func place(of choice: Int, first: Int) -> Int {
    choice == 0 ? first : choice <= first ? choice - 1 : choice
  }

  private func chosen(of count: Int, first: Int, timer: Int64?, at clock: Int64) -> Int {
    switch rule {
    case .deviations(let choices): return min(choices[decisions.count] ?? 0, count - 1)
    case .random:
      guard let timer, timer > clock else { return random.below(count) }
      let number = random.below(16 * runnable.count + 1)
      return number / 16
    case .priorities(let changes):
      if changes.contains(decisions.count) {
        lowestPriority -= 1
        setPriority(lowestPriority, of: runnable[first].strand)
      }
      var best = (choice: 0, priority: UInt64(0))
      for choice in runnable.indices {
        let priority = priority(of: runnable[place(of: choice, first: first)].strand)
        if choice == 0 || priority > best.priority { best = (choice, priority) }
      }
      return timer != nil && timerPriority > best.priority ? count - 1 : best.choice
    }
  }

  private func drawnPriority() -> UInt64 { random.next() | 1 << 32 }

  /// Returns the priority of the timers until one fires. One time in four it is the lowest of all.
  private func drawnTimerPriority() -> UInt64 { random.below(4) == 0 ? 0 : drawnPriority() }

  private func priority(of strand: Int) -> UInt64 {
    while priorities.count <= strand { priorities.append(drawnPriority()) }
    return priorities[strand]
  }

  private func setPriority(_ priority: UInt64, of strand: Int) {
    _ = self.priority(of: strand)
    priorities[strand] = priority
  }
}

// MARK: - Orders

extension ScheduleExplorer {
  /// Folds a request into the order of a queue or lock.
  ///
  /// - Parameters:
  ///   - label: The label of the queue or lock, or of the store.
  ///   - number: The number of the queue or lock, or 0 for the store.
  ///   - strand: The strand that makes the request, or nil for a timer.
  func note(_ label: String, number: Int, by strand: Strand?) {
    while orders.count <= number { orders.append(0) }
    if orders[number] == 0 { orders[number] = Self.hash(label) }
    let author = strand.map { $0.queues.last ?? ($0.isMain ? "main" : "driver") } ?? "timer"
    orders[number] = Self.mix(orders[number], Self.hash(author))
  }

  private static func hash(_ label: String) -> UInt64 {
    label.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (first ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: second ^ 0xa076_1d64_78bd_642f)
    return product.high ^ product.low
  }
}
