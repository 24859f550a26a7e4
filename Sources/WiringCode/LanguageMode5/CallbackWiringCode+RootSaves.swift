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
    case .every: return ["/// Use this property on root's queue only.", "private var isSaveDue = false"]
    case .idle:
      return [
        "/// Use this property and the next two on root's queue only.", "private var isSaveDue = false",
        "private var hasImportEnded = false", "private var lastChange = DispatchTime.now()",
      ]
    case .atEnd: return ["/// Use this property on root's queue only.", "private var hasImportEnded = false"]
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
    /// Saves \(root) \(SpanText.milliseconds(span)) ms after its first unsaved change. Call it on the queue of \(root).
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
    /// Saves \(root) when no change has been pushed or imported for \(SpanText.milliseconds(span)) ms. Call it on
    /// the queue of \(root). After the end of the import, changes no longer delay the save, so that the last payload
    /// is stored soon.
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
    /// Saves \(root) if the import has ended. Call it on the queue of \(root).
    private func noteUnsavedChanges() {
      if hasImportEnded { save(\(root)) }
    }
    """
  }

  private func importEnding(_ root: String, saves: Bool) -> String {
    """
    /// Call it when the last payload has been imported.
    func importEnded() {
      // Runs after the blocks that were posted to the UI's context earlier.
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
    /// Saves \(root) before it returns. Call it when the app goes to the background, because unsaved changes would be
    /// lost.
    func saveNow() {
      \(root).performAndWait { save(\(root)) }
    }
    """
  }
}
