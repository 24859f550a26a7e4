import CLinux
import Glibc
import MachineCore

/// A flow of control with a stack of its own, which runs until it passes control on to another one.
///
/// All coroutines that pass control to each other run on one thread of the system. To pass control takes a tenth of the
/// time of a change of threads.
// `@unchecked`: one coroutine runs at a time, on the thread that made it.
final class Coroutine: @unchecked Sendable {
  private let context: UnsafeMutablePointer<stackbench_context>
  private let stack: CoroutineStack?
  /// The closure that the coroutine runs, until it has returned.
  private var body: (() -> Void)?
  /// The coroutine to which control passes when the body has returned.
  private let successor: Coroutine?

  /// Creates the coroutine that is running: the calling thread.
  init() {
    context = .allocate(capacity: 1)
    context.initialize(to: stackbench_context())
    stackbench_context_of_thread(context)
    stack = nil
    successor = nil
  }

  /// Creates a coroutine that runs a closure when it first gets control.
  ///
  /// - Parameters:
  ///   - successor: The coroutine to which control passes when the closure has returned.
  ///   - body: The closure.
  init(before successor: Coroutine, body: @escaping () -> Void) {
    let stack = CoroutineStack.take()
    self.stack = stack
    self.successor = successor
    self.body = body
    context = .allocate(capacity: 1)
    context.initialize(to: stackbench_context())
    let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    stackbench_context_with_stack(
      context, stack.start, CoroutineStack.size, { Coroutine.begin(at: UInt64($0) | UInt64($1) << 32) }, address)
  }

  deinit {
    // If the body has not returned, its stack may still be referred to, and stays until the process ends.
    if let stack, body == nil {
      stackbench_context_destroy(context)
      stack.putBack()
    }
    context.deallocate()
  }

  /// Passes control to another coroutine, and returns when this one has it again. Call it on this coroutine.
  func pass(to other: Coroutine) {
    stackbench_context_switch(context, other.context)
  }

  private static func begin(at address: UInt64) {
    guard let pointer = UnsafeRawPointer(bitPattern: UInt(address)) else { return }
    // This function must not retain objects, since it never returns.
    let (own, next) = run(Unmanaged.fromOpaque(pointer))
    stackbench_context_end(own, next)
  }

  /// Runs the body, and returns the contexts of the coroutine and of its successor.
  @inline(never)
  private static func run(
    _ reference: Unmanaged<Coroutine>
  ) -> (own: UnsafeMutablePointer<stackbench_context>, next: UnsafeMutablePointer<stackbench_context>) {
    let coroutine = reference.takeUnretainedValue()
    stackbench_context_arrive(coroutine.context)
    coroutine.body?()
    coroutine.body = nil
    guard let successor = coroutine.successor else { trapMisuse("The coroutine of a thread has no end.") }
    return (coroutine.context, successor.context)
  }
}

/// A stack for a coroutine, with a page below it that must not be touched.
private struct CoroutineStack {
  let start: UnsafeMutableRawPointer

  /// The size of a stack in bytes, as large as that of `OwnThread`. Only the part that is touched takes memory.
  static let size = 8 << 20

  /// The stacks of coroutines that have ended.
  private static let free = Guarded<[UInt]>([])

  static func take() -> CoroutineStack {
    if let known = free.withLock({ $0.popLast() }).flatMap(UnsafeMutableRawPointer.init(bitPattern:)) {
      return CoroutineStack(start: known)
    }
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    let mapped = mmap(
      nil, size + pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0)
    guard let mapped, mapped != MAP_FAILED, mprotect(mapped, pageSize, PROT_NONE) == 0 else {
      trapMisuse("The system gives no memory for a further stack: error \(errno).")
    }
    return CoroutineStack(start: mapped + pageSize)
  }

  func putBack() {
    Self.free.withLock { $0.append(UInt(bitPattern: start)) }
  }
}
