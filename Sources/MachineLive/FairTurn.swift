import Dispatch
import MachineCore
import Synchronization

/// Whose turn it is, handed on in the order of asking: what a serial queue and a lock have in common.
///
/// One word says who has the turn and whether anybody is in line, so that a free turn is taken and given back by one
/// atomic instruction each. Nobody overtakes: as long as somebody is in line, the word is never free.
final class FairTurn: Sendable {
  let label: String
  /// The label, as the thread that has the turn is told apart by.
  let name: ThreadDoing.Name
  /// As a trace names it.
  let queue: ScheduleQueue
  private let reporter: MainThreadReporter

  /// `free`, or the token of the thread that has the turn (or `dispatched`), plus `lineBit` where the line is not empty.
  private let holder = Atomic<UInt>(free)

  /// Those in line. `lineBit` is set and cleared under this lock only.
  private let line = Guarded(Line<Entry>())

  /// Where blocks in line run; nil if only threads take turns.
  private let executor: DispatchQueue?

  private static let free: UInt = 0
  private static let lineBit: UInt = 1
  /// Stands for a Dispatch thread that is on its way; no thread has this token.
  private static let dispatched: UInt = 2

  init(label: String, reporter: MainThreadReporter, executor: DispatchQueue? = nil) {
    self.label = label
    name = ThreadDoing.Name(label)
    queue = reporter.trace?.makeQueue(label: label) ?? ScheduleQueue(label: label, number: 0)
    self.reporter = reporter
    self.executor = executor
  }

  /// A block in line, with the role that it inherited.
  struct Block: Sendable {
    var role: WorkRole
    /// Of the post, in a trace.
    var number: Int
    var body: @Sendable () -> Void
  }

  private enum Entry: Sendable {
    case thread(token: UInt, parking: DispatchSemaphore)
    case block(Block)
  }

  /// How many are in line behind the one whose turn it is.
  var waitingCount: Int { line.withLock { $0.count } }

  /// Whether it is this thread's turn.
  func isHeld(by thread: ThreadState.Pointer) -> Bool {
    holder.load(ordering: .relaxed) & ~Self.lineBit == thread.pointee.token
  }
}

// MARK: - Threads

extension FairTurn {
  /// Takes the turn, parking in line while it is another's; returns the time spent parked.
  ///
  /// The caller has seen to it that it is not its own already.
  func take(for thread: ThreadState.Pointer) -> Span {
    let token = thread.pointee.token
    if holder.compareExchange(expected: Self.free, desired: token, ordering: .acquiring).exchanged {
      return .zero
    }
    return takeInLine(thread, token)
  }

  /// Gives the turn to the first in line.
  func giveBack(by thread: ThreadState.Pointer) {
    let token = thread.pointee.token
    if !holder.compareExchange(expected: token, desired: Self.free, ordering: .releasing).exchanged {
      passOn()
    }
  }

  private func takeInLine(_ thread: ThreadState.Pointer, _ token: UInt) -> Span {
    let parking = thread.pointee.parking
    let isHeard = reporter.observer(of: thread) != nil
    var doing: TurnHolder?
    var other: UInt?
    let isTaken = line.withLock { line in
      if takeOrMark(as: token) { return true }
      // Looked at before anybody can see that this thread stands in line.
      other = holderToken
      // A Dispatch thread on its way is about to begin a block.
      if isHeard { doing = other.map(ThreadDoing.known(ofToken:)) ?? TurnHolder(queue: label) }
      line.append(.thread(token: token, parking: parking))
      return false
    }
    if isTaken { return .zero }
    let span = reporter.parked(thread, for: name, of: other, heldBy: doing) { parking.wait() }
    // Pairs with the store that handed the turn over: what its holders wrote before is seen after.
    _ = holder.load(ordering: .acquiring)
    return span
  }

  /// Of the thread that has the turn; nil where none has, or a Dispatch thread that is on its way.
  private var holderToken: UInt? {
    let token = holder.load(ordering: .relaxed) & ~Self.lineBit
    return token == Self.free || token == Self.dispatched ? nil : token
  }

  /// Takes a free turn, or marks a taken one as having a line; under the line's lock.
  private func takeOrMark(as token: UInt) -> Bool {
    var seen = holder.load(ordering: .relaxed)
    while true {
      let isFree = seen == Self.free
      let result = holder.compareExchange(
        expected: seen, desired: isFree ? token : seen | Self.lineBit, ordering: .acquiring)
      if result.exchanged { return isFree }
      seen = result.original
    }
  }

  private func passOn() {
    switch next(for: nil) {
    case .nobody, .block: break
    case .thread(let parking): parking.signal()
    case .dispatch: dispatch()
    }
  }
}

// MARK: - Blocks

extension FairTurn {
  /// Puts a block in line; never blocks.
  func append(_ block: Block) {
    let wasFree = line.withLock { line in
      // A block always stands in line, even for a free turn: the Dispatch thread takes it from there.
      let isTaken = takeOrMark(as: Self.dispatched | Self.lineBit)
      line.append(.block(block))
      return isTaken
    }
    if wasFree {
      dispatch()
    }
  }

  private func dispatch() {
    executor?.async { self.drain() }
  }

  /// Runs blocks until the line is empty or a thread is the first in it; on a Dispatch thread.
  private func drain() {
    let thread = ThreadState.current
    while true {
      switch next(for: thread) {
      case .block(let block): run(block, on: thread)
      case .thread(let parking): return _ = parking.signal()
      case .nobody, .dispatch: return
      }
    }
  }

  // Not inlined, and consuming: what the block captured is released before the turn goes to the next.
  @inline(never)
  private func run(_ block: consuming Block, on thread: ThreadState.Pointer) {
    let outer = thread.enter(name)
    reporter.record(.bodyBegan(queue: queue, role: block.role, cause: .post(block.number)))
    thread.run(inRole: block.role, of: label, block.body)
    reporter.record(.bodyEnded(queue: queue))
    thread.leave(to: outer)
  }

  private enum Next {
    case nobody
    case thread(DispatchSemaphore)
    case block(Block)
    case dispatch
  }

  /// Ends the present turn and says whose is the next; `drainer` is the Dispatch thread that could run a block.
  private func next(for drainer: ThreadState.Pointer?) -> Next {
    let token = drainer?.pointee.token
    return line.withLock { line in
      switch line.first {
      case nil:
        holder.store(Self.free, ordering: .releasing)
        return .nobody
      case .thread(let next, let parking):
        _ = line.popFirst()
        holder.store(next | (line.isEmpty ? 0 : Self.lineBit), ordering: .releasing)
        return .thread(parking)
      case .block(let block):
        guard let token else {
          holder.store(Self.dispatched | Self.lineBit, ordering: .releasing)
          return .dispatch
        }
        _ = line.popFirst()
        holder.store(token | (line.isEmpty ? 0 : Self.lineBit), ordering: .releasing)
        return .block(block)
      }
    }
  }
}
