import ContextEngine

extension HistoryWorld {
  /// Makes one to three changes, each in a separate event, undoes all of them and may redo some.
  func changeAndUndo(_ place: Place, _ step: HistoryStep) throws -> String? {
    let done = try place.context.performAndWait { () throws -> String? in
      let context = place.context
      context.processPendingChanges()
      let manager = ContextUndoManager()
      context.undoManager = manager
      defer { context.undoManager = nil }
      var sentences: [String] = []
      var states = [place.level.changes]
      for part in 0...(step.third / 2 % 3) {
        guard let done = try change(once: place, undoable(step, part)) else { continue }
        context.processPendingChanges()
        // A step without changes registers no undo.
        if manager.groupingLevel == 0 { continue }
        manager.endEvent()
        sentences.append(done)
        states.append(place.level.changes)
        underway = "\(context.name): undo \(sentences.joined(separator: ", "))"
      }
      if sentences.isEmpty { return nil }
      for state in states.dropLast().reversed() {
        context.undo()
        place.level.undo(to: state)
        try compare(place)
      }
      guard step.third % 2 == 0 else { return "undo \(sentences.joined(separator: ", "))" }
      let count = 1 + step.second % sentences.count
      underway = "\(context.name): undo \(sentences.joined(separator: ", ")), and redo \(count)"
      for state in states.dropFirst().prefix(count) {
        context.redo()
        place.level.undo(to: state)
        try compare(place)
      }
      return "undo \(sentences.joined(separator: ", ")), and redo \(count)"
    }
    if done != nil { try refreshBelow(place) }
    return done
  }

  private func undoable(_ step: HistoryStep, _ part: Int) -> HistoryStep {
    let kinds: [HistoryStep.Kind] = [.insert, .set, .relate, .add, .remove, .arrange, .replaceMembers, .delete]
    let choice = step.fourth >> (3 * part)
    return HistoryStep(
      kind: kinds[choice % kinds.count], first: step.first, second: step.second >> part, third: step.third >> part,
      fourth: choice / kinds.count)
  }
}
