import ContextEngine
import MachineCore
import Testing
import TrialProcesses

/// The names of threads and the causes of bodies in a trace.
@Suite struct ScheduleThreadsTests {
  private static let worker = 2
  private let main = ScheduleQueue(label: "main", number: 1)
  private let queue = ScheduleQueue(label: "worker", number: 7)

  @Test func `a thread has the label of its last queue`() {
    var threads = ScheduleThreads()
    #expect(threads.name(of: ScheduleThreads.main) == "main thread")
    #expect(threads.name(of: Self.worker) == "idle thread")
    threads.take(.bodyBegan(queue: queue, role: .background, cause: .post(1)), strand: Self.worker)
    #expect(threads.name(of: Self.worker) == "worker")
    #expect(threads.queue(of: Self.worker) == "worker")
    threads.take(.bodyEnded(queue: queue), strand: Self.worker)
    #expect(threads.queue(of: Self.worker) == nil)
    #expect(threads.text(of: Self.worker) == "idle")
    #expect(threads.name(of: Self.worker) == "worker")
  }

  @Test func `the cause of a block is the activity of its poster`() {
    var threads = ScheduleThreads()
    threads.take(.bodyBegan(queue: main, role: .user, cause: .post(1)), strand: ScheduleThreads.main)
    threads.take(.activityBegan(.save), strand: ScheduleThreads.main)
    threads.take(.posted(queue: queue, number: 2, role: .background, due: nil), strand: ScheduleThreads.main)
    threads.take(.activityEnded(.save), strand: ScheduleThreads.main)
    let cause = threads.cause(.post(2))
    #expect(cause.strand == ScheduleThreads.main)
    #expect(cause.queue == "main")
    #expect(cause.text == "\(Activity.save.title) on main")
    // A call's cause is the present block of the thread.
    #expect(threads.cause(.call(from: ScheduleThreads.main)).text == "block of main")
    #expect(threads.cause(.post(99)).strand == ScheduleThreads.driver)
  }

  @Test func `the text of a waiting thread has the label of its wait`() {
    var threads = ScheduleThreads()
    threads.take(.bodyBegan(queue: queue, role: .background, cause: .post(1)), strand: Self.worker)
    threads.take(.waitBegan(for: "main", holder: nil), strand: Self.worker)
    #expect(threads.isWaiting(Self.worker))
    #expect(threads.textWithWait(of: Self.worker) == "block of worker, waiting for main")
    threads.take(.waitEnded, strand: Self.worker)
    #expect(!threads.isWaiting(Self.worker))
  }
}
