import MachineCore
import Topologies

/// The saves of a root between the UI and the store, if a run delays them.
extension CallbackWiringCode {
  /// The root whose saves are delayed, or nil if no saves of a root are delayed.
  private var putOffRoot: String? { options.storeSave == .immediate ? nil : topology.savingRoot }

  var rootSaveProperties: [String] {
    guard putOffRoot != nil else { return [] }
    switch options.storeSave {
    case .immediate: return []
    case .every: return ["/// On root's queue.", "private var isSaveDue = false"]
    case .idle:
      return [
        "/// On root's queue, as the next two.", "private var isSaveDue = false",
        "private var hasImportEnded = false", "private var lastChange = DispatchTime.now()",
      ]
    case .atEnd: return ["/// On root's queue.", "private var hasImportEnded = false"]
    }
  }

  var rootSaveMembers: [String] {
    guard let root = putOffRoot else { return [] }
    switch options.storeSave {
    case .immediate: return []
    case .every(let span): return [every(span, root), savingNow(root)]
    case .idle(let span): return [idle(span, root), importEnding(root, saves: false), savingNow(root)]
    case .atEnd: return [atEnd(root), importEnding(root, saves: true), savingNow(root)]
    }
  }

  private func every(_ span: TimeSpan, _ root: String) -> String {
    """
    /// Saves \(root) \(SpanText.milliseconds(span)) ms after its first change that is not saved; on its queue.
    private func noteUnsavedChanges() {
      guard !isSaveDue else { return }
      isSaveDue = true
      DispatchQueue.global().asyncAfter(deadline: .now() + \(Self.interval(span))) { [weak self] in
        guard let self = self else { return }
        self.\(root).perform {
          self.isSaveDue = false
          self.save(self.\(root))
        }
      }
    }
    """
  }

  private func idle(_ span: TimeSpan, _ root: String) -> String {
    """
    /// Saves \(root) once nothing has been pushed or imported for \(SpanText.milliseconds(span)) ms; on its queue. After the
    /// import's end nothing puts it off: a user who never rests must not keep the last payload from the store.
    private func noteUnsavedChanges() {
      if !hasImportEnded { lastChange = .now() }
      guard !isSaveDue else { return }
      isSaveDue = true
      saveWhenIdle(at: .now() + \(Self.interval(span)))
    }

    private func saveWhenIdle(at due: DispatchTime) {
      DispatchQueue.global().asyncAfter(deadline: due) { [weak self] in
        guard let self = self else { return }
        self.\(root).perform {
          let next = self.lastChange + \(Self.interval(span))
          guard next <= .now() else { return self.saveWhenIdle(at: next) }
          self.isSaveDue = false
          self.save(self.\(root))
        }
      }
    }
    """
  }

  private func atEnd(_ root: String) -> String {
    """
    /// Saves \(root) once the import has ended, then after every push; on its queue.
    private func noteUnsavedChanges() {
      if hasImportEnded { save(\(root)) }
    }
    """
  }

  private func importEnding(_ root: String, saves: Bool) -> String {
    """
    /// Call it when the last payload has been imported.
    func importEnded() {
      // Behind what the UI's context was asked before.
      \(topology.uiContext).perform { [self] in
        \(root).perform { [self] in
          hasImportEnded = true\(saves ? "\n      save(\(root))" : "")
        }
      }
    }
    """
  }

  private func savingNow(_ root: String) -> String {
    """
    /// Call it when the app goes to the background: until \(root) has saved, nothing that is shown would survive. Blocks.
    func saveNow() {
      \(root).performAndWait { save(\(root)) }
    }
    """
  }
}
