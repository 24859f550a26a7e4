import DequeModule
import Dispatch
import MachineCore
import Synchronization

/// A turn that one thread has at a time and that passes on in the order of the requests; serial queues and locks share
/// it.
///
/// One atomic word holds the token of the thread that has the turn, and a bit that is set while the line is not empty.
/// A free turn is therefore taken and given back with one atomic instruction each. No thread overtakes another: the
/// word is never free while the line is not empty.
final class FairTurn: Sendable {
  let label: String
  /// The label in the form in which threads publish the queue that they run and the turn that they wait for.
  let name: ThreadDoing.Name
  /// The queue as it appears in a trace.
  let queue: ScheduleQueue
  private let reporter: MainThreadReporter

  /// The value `free`, or the token of the thread that has the turn (or `dispatched`), plus `lineBit` if the line is
  /// not empty.
  private let holder = Atomic<UInt>(free)

  /// The threads and blocks in line. `lineBit` is set and cleared under this lock only.
  private let line = Guarded(Deque<Entry>())

  /// The Dispatch queue on which blocks in line run; nil if only threads take turns.
  private let executor: DispatchQueue?

  private static let free: UInt = 0
  private static let lineBit: UInt = 1
  /// The value of `holder` from the request for a Dispatch thread until that thread takes its first block; no thread
  /// has this token.
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
    /// The number of the post in a trace; 0 without a trace.
    var number: Int
    var body: @Sendable () -> Void
  }

  private enum Entry: Sendable {
    case thread(token: UInt, parking: DispatchSemaphore)
    case block(Block)
  }

  /// The number of threads and blocks in line behind the thread that has the turn.
  var waitingCount: Int { line.withLock { $0.count } }

  /// Returns true if the thread has the turn.
  func isHeld(by thread: ThreadState.Pointer) -> Bool {
    holder.load(ordering: .relaxed) & ~Self.lineBit == thread.pointee.token
  }
}

// MARK: - Threads

extension FairTurn {
  /// Takes the turn, parking in line while another thread has it, and returns the time spent parked.
  ///
  /// The caller must check beforehand that the thread does not have the turn already.
  func take(for thread: ThreadState.Pointer) -> TimeSpan {
    let token = thread.pointee.token
    if holder.compareExchange(expected: Self.free, desired: token, ordering: .acquiring).exchanged {
      return .zero
    }
    return takeInLine(thread, token: token)
  }

  /// Gives the turn to the first in line.
  func giveBack(by thread: ThreadState.Pointer) {
    let token = thread.pointee.token
    if !holder.compareExchange(expected: token, desired: Self.free, ordering: .releasing).exchanged {
      passOn()
    }
  }

  private func takeInLine(_ thread: ThreadState.Pointer, token: UInt) -> TimeSpan {
    let parking = thread.pointee.parking
    let isObserved = reporter.observer(of: thread) != nil
    var doing: TurnHolder?
    var other: UInt?
    let isTaken = line.withLock { line in
      if takeOrMark(as: token) { return true }
      // The token is read before other threads can see that this thread is in line.
      other = holderToken
      // A Dispatch thread that was requested is about to begin a block of this queue.
      if isObserved { doing = other.map(ThreadDoing.known(ofToken:)) ?? TurnHolder(queue: label) }
      line.append(.thread(token: token, parking: parking))
      return false
    }
    if isTaken { return .zero }
    let span = reporter.parked(thread, for: name, of: other, heldBy: doing) { parking.wait() }
    // The load pairs with the store that handed the turn over, so that this thread sees the writes of earlier holders.
    _ = holder.load(ordering: .acquiring)
    return span
  }

  /// The token of the thread that has the turn; nil if the turn is free or a requested Dispatch thread has not begun.
  private var holderToken: UInt? {
    let token = holder.load(ordering: .relaxed) & ~Self.lineBit
    return token == Self.free || token == Self.dispatched ? nil : token
  }

  /// Takes a free turn and returns true, or marks a taken turn as having a line and returns false.
  ///
  /// The caller holds the line's lock.
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
  /// Adds a block to the line. Never blocks.
  func append(_ block: Block) {
    let wasFree = line.withLock { line in
      // The block is added to the line even if the turn is free, because the Dispatch thread takes it from there.
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

  /// Runs blocks on a Dispatch thread until the line is empty or its first entry is a thread.
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

  // The method is not inlined and consumes the block, so that the block's captures are released before the turn passes
  // on.
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

  /// Ends the present turn and returns the entry that is next. `drainer` is the Dispatch thread that can run a block,
  /// or nil if the calling thread cannot run blocks.
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
