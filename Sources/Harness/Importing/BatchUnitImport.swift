import ContextEngine
import MachineCore
import Topologies
import Workloads

/// Writes the records of one unit into the store by batch inserts and has their IDs merged into the stack's contexts.
///
/// Use it inside one block of the import's queue. All records must be new and without links.
struct BatchUnitImport {
  private let setting: LaneImporter.Setting
  private let context: ManagedObjectContext

  init(_ setting: LaneImporter.Setting, _ context: ManagedObjectContext) {
    self.setting = setting
    self.context = context
  }

  /// Writes the records of one unit.
  ///
  /// `payload` is the number of the payload that ends with these records, or nil if it has further records.
  func run(_ records: ArraySlice<ImportRecord>, endingPayload payload: Int?) throws(PersistenceError) {
    var inserted: [ObjectID] = []
    var committedAt: Instant?
    for (index, entity) in setting.schema.entities.enumerated() {
      let own = records.filter { $0.entity == index }
      if own.isEmpty { continue }
      let outcome = try context.insertBatch(request(own, entity: entity))
      inserted += outcome.inserted
      committedAt = outcome.committedAt
    }
    if let payload { setting.tracker.batchCommitted(payload, at: committedAt ?? setting.machine.now) }
    merge(inserted, endingPayload: payload)
  }

  private func request(_ records: [ImportRecord], entity: EngineSchema.Entity) -> BatchInsertRequest {
    var next = records.makeIterator()
    return BatchInsertRequest(entity.description) { (row: inout BatchRow) in
      guard let record = next.next() else { return true }
      for (place, value) in record.values.enumerated() {
        row[entity.attributes[place]] = entity.value(value, at: place)
      }
      return false
    }
  }

  private func merge(_ inserted: [ObjectID], endingPayload payload: Int?) {
    let (stack, tracker, heap) = (setting.stack, setting.tracker, setting.heap)
    let count = Countdown(stack.shownContexts.count)
    // If the screens fetch again after a payload, they hold it once they have done so.
    let isHeldByMerging = !stack.topology.rules.contains { $0.trigger == .payloadImported }
    tracker.batchMergesPosted(stack.shownContexts.count)
    stack.mergeInserted(inserted) {
      tracker.batchMergeBegan()
    } didMerge: {
      heap.sample()
      if count.isLast(), let payload, isHeldByMerging { tracker.batchMerged(payload) }
    }
  }
}

/// A count of the screens' contexts that have not merged yet.
private final class Countdown: Sendable {
  private let remaining: Guarded<Int>

  init(_ count: Int) {
    remaining = Guarded(count)
  }

  /// Counts one context and returns true if it was the last.
  func isLast() -> Bool {
    remaining.withLock { remaining in
      remaining -= 1
      return remaining == 0
    }
  }
}
