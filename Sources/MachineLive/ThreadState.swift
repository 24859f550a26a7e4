import Dispatch
import Glibc
import MachineCore
import Synchronization

/// What the live machine keeps for each thread: one thread-specific pointer, made at the thread's first call.
///
/// Reached through a pointer and not an object, so that reading it costs no reference counting. Only its own thread
/// touches it, hence no lock.
struct ThreadState {
  typealias Pointer = UnsafeMutablePointer<ThreadState>

  /// Names the thread in the word that says who holds a queue or lock; never given twice, always even and above 2.
  let token: UInt

  /// The role that work is accounted to, and the activities that set it. Only the user interface's side begins
  /// activities of the other role; whatever else a driver does prepares imports.
  var activities = ActivityStack(role: .importing)

  /// What the thread parks on; one, because a thread waits for one thing at a time.
  let parking = DispatchSemaphore(value: 0)

  /// The innermost queue whose body the thread runs.
  fileprivate var queue = ThreadDoing.Name.none
  /// The queue or lock that it is parked for.
  var awaited = ThreadDoing.Name.none
  /// What the thread did, for the trace that it was in last.
  var steps: LiveTrace.ThreadSteps?
  /// Where others read what the thread is doing.
  fileprivate let doing: ThreadDoing

  private var timersAreExact = false

  private init(token: UInt) {
    self.token = token
    doing = ThreadDoing(token: token)
  }
}

// MARK: - What others see

// Of the pointer, since a call on what it points to may copy that first, and count all that it refers to.
extension ThreadState.Pointer {
  /// Lets the main thread see what this one is doing, should it come to wait for it: one store, which nobody waits for.
  @inline(__always)
  func publish() {
    pointee.doing.publish(pointee.activities.innermost, on: pointee.queue, awaiting: pointee.awaited)
  }

  /// A body of that queue begins; returns the queue to go back to.
  @inline(__always)
  func enter(_ name: ThreadDoing.Name) -> ThreadDoing.Name {
    let outer = pointee.queue
    pointee.queue = name
    publish()
    return outer
  }

  @inline(__always)
  func leave(to outer: ThreadDoing.Name) {
    pointee.queue = outer
    publish()
  }
}

// MARK: - Blocks

extension ThreadState.Pointer {
  /// Runs a block in the role it inherited, and gives the thread its own role back.
  func run(inRole role: WorkRole, of label: String, _ block: () -> Void) {
    let outside = pointee.activities.beginBlock(inRole: role)
    block()
    pointee.activities.endBlock(of: label, outside)
  }
}

// MARK: - Timers

extension ThreadState {
  /// Asks the system to wake this thread at its deadlines, not up to 50 µs later; done once a thread.
  mutating func makeTimersExact() {
    guard !timersAreExact else { return }
    timersAreExact = true
    // A slack of 0 would mean "the default", so 1 ns is the least.
    _ = setProcessControl?(setTimerSlack, 1, 0, 0, 0)
  }
}

/// `PR_SET_TIMERSLACK` of <linux/prctl.h>, a header that Swift does not import.
private let setTimerSlack: Int32 = 29

/// `prctl`, which Swift does not import because it is variadic in C; integers are passed alike in both conventions on
/// the architectures that Swift knows on Linux.
private let setProcessControl: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32)? =
  dlsym(nil, "prctl").map { unsafeBitCast($0, to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self) }

// MARK: - The calling thread's

extension ThreadState {
  /// The state of the calling thread.
  static var current: Pointer {
    if let state = pthread_getspecific(key) {
      return state.assumingMemoryBound(to: ThreadState.self)
    }
    WorkerCores.bindNewThread()
    return adopt(token: makeToken())
  }

  /// Makes the state of the calling thread, which has none yet, under a token handed out before the thread began.
  static func adopt(token: UInt) -> Pointer {
    let state = Pointer.allocate(capacity: 1)
    state.initialize(to: ThreadState(token: token))
    pthread_setspecific(key, state)
    return state
  }

  static func makeToken() -> UInt {
    lastToken.wrappingAdd(2, ordering: .relaxed).newValue
  }
}

private let lastToken = Atomic<UInt>(2)

private let key: pthread_key_t = {
  var key = pthread_key_t()
  let status = pthread_key_create(&key) { state in
    guard let state = state?.assumingMemoryBound(to: ThreadState.self) else { return }
    state.deinitialize(count: 1)
    state.deallocate()
  }
  guard status == 0 else { trapMisuse("The process has no thread-specific key left: error \(status).") }
  return key
}()
