import ContextEngine
import MachineCore
import Topologies

/// The steps of a row as blocks, with the objects that they are expected to leave.
///
/// It is used by the row's driver only, between steps. The blocks that it makes run on the queues of their contexts.
final class PublishedScript {
  let model: PublishedModel
  let seed: UInt64
  let held = HeldObjects()
  let findings = ScriptFindings()
  var expected: ExpectedRows
  /// True if other steps run at the same time, so that the results of fetches are not known.
  private var isConcurrent = false
  private var payloadCount = 0

  init(_ model: PublishedModel, seed: UInt64, topology: Topology) {
    self.model = model
    self.seed = seed
    let parents = topology.chain(from: topology.importContext).dropFirst()
    expected = ExpectedRows(model, importsIntoUI: parents.contains { $0.name == topology.uiContext })
  }

  /// Returns the blocks of a step that runs by itself.
  func parts(of step: PublishedStep, on stage: PublishedStage) -> [ScriptPart] {
    switch step.action {
    case .insert(let insertion): return [insert(insertion, on: stage)]
    case .findOrCreate(let request): return [findOrCreate(request, on: stage)]
    case .fetch(let fetch): return [self.fetch(fetch, on: stage)]
    case .update(let change): return [update(change, on: stage)]
    case .delete(let change): return [delete(change, on: stage)]
    case .batchUpdate(let request): return [batchUpdate(request, on: stage)]
    case .batchDelete(let request): return [batchDelete(request, on: stage)]
    case .link(let linking): return [link(linking, on: stage)]
    case .save(let save): return self.save(save, on: stage)
    case .reset(let party):
      expected.reset(party)
      return [release(party, on: stage) { $0.reset() }]
    case .release(let party): return [release(party, on: stage)]
    case .reopen, .together, .importInTwoPhases:
      trapMisuse("a step that does not consist of blocks of one context has no such blocks")
    }
  }

  /// Returns a block that releases the held objects of a context and then calls a function.
  private func release(
    _ party: PublishedTable.Party, on stage: PublishedStage,
    then body: @escaping @Sendable (ManagedObjectContext) -> Void = { _ in }
  ) -> ScriptPart {
    part(party, on: stage) { [held] _, context in
      held.release(party)
      body(context)
      return false
    }
  }

  /// Returns the blocks of two lists of steps that run at the same time.
  func parts(
    importing: [PublishedStep], ui: [PublishedStep], on stage: PublishedStage
  ) -> (importing: [ScriptPart], ui: [ScriptPart]) {
    isConcurrent = true
    defer { isConcurrent = false }
    // The blocks of the UI are made first, because they look for objects that exist already.
    let uiParts = ui.flatMap { parts(of: $0, on: stage) }
    return (importing.flatMap { parts(of: $0, on: stage) }, uiParts)
  }
}

// MARK: - Making blocks

extension PublishedScript {
  typealias Block = @Sendable (_ block: Int, _ context: ManagedObjectContext) throws(PersistenceError) -> Bool

  func part(
    _ party: PublishedTable.Party, on stage: PublishedStage, interval: TimeSpan = .zero, body: @escaping Block
  ) -> ScriptPart {
    let context = stage.context(of: party)
    return ScriptPart(
      context: context, isImport: party == .importing, interval: interval,
      body: { block throws(PersistenceError) in try body(block, context) })
  }

  /// The number of objects that a step works on, one after the other, and the times at which it saves.
  struct Units {
    var count: Int
    var saving: PublishedStep.Saving
    var entity: String
    var party: PublishedTable.Party
  }

  /// Returns blocks that work on objects and save in the way of a step. `body` works on the objects of one block, given
  /// their places.
  func part(
    _ units: Units, on stage: PublishedStage,
    body: @escaping @Sendable (Range<Int>, ManagedObjectContext) throws(PersistenceError) -> Void
  ) -> ScriptPart {
    let unit = units.saving.unit(of: units.count)
    let saves = units.saving != .never
    if saves { noteSave(of: units.party, stage) }
    let finished = finishPayload(of: saves ? units.party : nil, entity: units.entity, on: stage)
    return part(units.party, on: stage) { block, context throws(PersistenceError) in
      let first = block * unit
      let range = first..<min(first + unit, units.count)
      try body(range, context)
      if saves { try context.save() }
      if range.upperBound < units.count { return true }
      finished()
      return false
    }
  }

  /// Notes that a context saves. The stack's rules, or the step, save its parents too, or the changes stay in the parent.
  func noteSave(of party: PublishedTable.Party, _ stage: PublishedStage, isAllTheWay: Bool = false) {
    let topology = stage.stack.topology
    let name = party == .importing ? topology.importContext : topology.uiContext
    let savesOn = topology.rules.contains { rule in
      if case .save = rule.action { rule.trigger == .didSave(name) } else { false }
    }
    guard let parent = topology.context(named: name)?.parent, !savesOn, !isAllTheWay else {
      return expected.save(party)
    }
    expected.push(party, to: parent == topology.uiContext ? .ui : nil)
  }

  /// Returns a closure for the end of a step's last block. If the step saves the import's context, it notifies the
  /// stack that a payload has been imported, to which some stacks react.
  func finishPayload(
    of party: PublishedTable.Party?, entity: String, on stage: PublishedStage
  ) -> @Sendable () -> Void {
    guard party == .importing else { return {} }
    let (payload, stack, index) = (payloadCount, stage.stack, model.entity(entity).description.index)
    payloadCount += 1
    return { stack.payloadImported(payload, touching: [index]) }
  }

  /// Returns a function that picks the objects that request number `place` compares with.
  func chooser(
    _ condition: PublishedStep.Condition?, entity: String, for party: PublishedTable.Party
  ) -> @Sendable (_ place: Int) -> [Int] {
    guard let condition else { return { _ in [] } }
    let numbers = expected.numbers(of: entity, for: party)
    let count = if case .page(let size) = condition.match { size } else { 1 }
    let seed = seed
    return { place in
      let first: Int
      switch condition.object {
      case .number(let number):
        return Array(number..<number + count)
      case .each: first = place * count
      case .random:
        var random = SeededRandom(seed: seed &+ UInt64(place), stream: "objects that are fetched")
        first = random.below(max(1, numbers.count))
      }
      guard !numbers.isEmpty else { return Array(first..<first + count) }
      return (first..<first + count).map { numbers[$0 % numbers.count] }
    }
  }

  /// Returns a function that counts the objects that match a condition, or nil if their number is not known.
  func counter(
    _ condition: PublishedStep.Condition?, entity: String, for party: PublishedTable.Party
  ) -> (@Sendable ([Int]) -> Int)? {
    isConcurrent ? nil : expected.counter(of: condition, entity, for: party)
  }
}
