import CLinux
import Dispatch
import Glibc
import MachineCore
import Synchronization

/// The state that the live machine keeps for each thread, behind one thread-specific pointer that is made at the first
/// call.
///
/// The state is accessed through a pointer rather than an object, so that reading it costs no reference counting. Only
/// its own thread accesses it, so that it needs no lock.
struct ThreadState {
  typealias Pointer = UnsafeMutablePointer<ThreadState>

  /// The token that identifies the thread in the word of a queue or lock that it holds; never reused, always even and
  /// above 2.
  let token: UInt

  /// The role that work is accounted to, and the activities that set it. A thread does background work unless a block
  /// or an activity sets the other role.
  var activities = ActivityStack(role: .background)

  /// The semaphore on which the thread parks. One is enough, because a thread waits for one thing at a time.
  let parking = DispatchSemaphore(value: 0)

  /// The innermost queue whose body the thread runs.
  fileprivate var queue = ThreadDoing.Name.none
  /// The queue or lock for which the thread is parked.
  var awaited = ThreadDoing.Name.none
  /// The steps of the thread in the trace that it recorded to last.
  var steps: LiveTrace.ThreadSteps?
  /// The word from which other threads read what this thread is doing.
  fileprivate let doing: ThreadDoing

  private var timersAreExact = false

  private init(token: UInt) {
    self.token = token
    doing = ThreadDoing(token: token)
  }
}

// MARK: - Published state

// These methods belong to the pointer, because a call on the pointee may copy it first and retain all that it refers
// to.
extension ThreadState.Pointer {
  /// Publishes what this thread is doing, so that the main thread can read it when it waits for this thread. Costs one
  /// store without a lock.
  @inline(__always)
  func publish() {
    pointee.doing.publish(pointee.activities.innermost, on: pointee.queue, awaiting: pointee.awaited)
  }

  /// Records and publishes that a body of the queue begins, and returns the outer queue, which `leave(to:)` restores.
  @inline(__always)
  func enter(_ name: ThreadDoing.Name) -> ThreadDoing.Name {
    let outer = pointee.queue
    pointee.queue = name
    publish()
    return outer
  }

  /// Restores and publishes the outer queue.
  @inline(__always)
  func leave(to outer: ThreadDoing.Name) {
    pointee.queue = outer
    publish()
  }
}

// MARK: - Blocks

extension ThreadState.Pointer {
  /// Runs a block in the role that it inherited, and then restores the thread's own role.
  func run(inRole role: WorkRole, of label: String, _ block: () -> Void) {
    let outside = pointee.activities.beginBlock(inRole: role)
    block()
    pointee.activities.endBlock(of: label, outside)
  }
}

// MARK: - Timers

extension ThreadState {
  /// Asks the system to wake this thread at its deadlines rather than up to 50 µs later. Only the first call has an
  /// effect.
  mutating func makeTimersExact() {
    guard !timersAreExact else { return }
    timersAreExact = true
    // A slack of 0 would mean "the default", so 1 ns is the least.
    _ = setProcessControl?(setTimerSlack, 1, 0, 0, 0)
  }
}

/// The constant `PR_SET_TIMERSLACK` of <linux/prctl.h>, a header that Swift does not import.
private let setTimerSlack: Int32 = 29

/// The function `prctl`, which Swift does not import because it is variadic in C. Both calling conventions pass
/// integers alike on the architectures that Swift supports on Linux.
private let setProcessControl: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32)? =
  dlsym(nil, "prctl").map { unsafeBitCast($0, to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self) }

// MARK: - The calling thread

extension ThreadState {
  /// The state of the calling thread, which is created at the first access.
  ///
  /// This is not inlined, because `stackbench_thread_pointer` is another pointer in each object file.
  @inline(never)
  static var current: Pointer {
    if let state = stackbench_thread_pointer().pointee { return state.assumingMemoryBound(to: ThreadState.self) }
    WorkerCores.bindNewThread()
    return adopt(token: makeToken())
  }

  /// Creates the state of the calling thread under a token. The thread must not have a state yet.
  @inline(never)
  static func adopt(token: UInt) -> Pointer {
    let state = Pointer.allocate(capacity: 1)
    state.initialize(to: ThreadState(token: token))
    stackbench_thread_pointer().pointee = UnsafeMutableRawPointer(state)
    pthread_setspecific(key, state)
    return state
  }

  static func makeToken() -> UInt {
    lastToken.wrappingAdd(2, ordering: .relaxed).newValue
  }
}

private let lastToken = Atomic<UInt>(2)

/// The key whose value is destroyed at the end of its thread.
private let key: pthread_key_t = {
  var key = pthread_key_t()
  let status = pthread_key_create(&key) { state in
    guard let state = state?.assumingMemoryBound(to: ThreadState.self) else { return }
    stackbench_thread_pointer().pointee = nil
    state.deinitialize(count: 1)
    state.deallocate()
  }
  guard status == 0 else { trapMisuse("The process has no thread-specific key left: error \(status).") }
  return key
}()
