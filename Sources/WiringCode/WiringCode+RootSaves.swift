import MachineCore
import Topologies

/// The saves of a root between the UI and the store.
extension WiringCode {
  var rootSaveMembers: [String] {
    guard let root else { return [] }
    guard putsOffRootSaves else { return [savingLater(root)] }
    return [notingChange, ending, savingNow(root), saver(root)].compactMap(\.self)
  }

  private func savingLater(_ root: String) -> String {
    """
    /// Saves \(root) to the store on \(root)'s queue. The caller does not wait for the save.
    private func saveRootLater() {
      \(root).perform { [\(root), didFail] in
        guard \(root).hasChanges else { return }
        do {
    \(Self.indented(saved(description(root)), by: 6))
        } catch {
          didFail(error)
        }
      }
    }
    """
  }

  // MARK: Saves that are put off

  private var notingChange: String {
    """
    private func saveRootLater() {
      Task { await rootSaves.noteChange() }
    }
    """
  }

  private var endsImport: Bool {
    switch options.storeSave {
    case .idle, .atEnd: true
    case .immediate, .every: false
    }
  }

  private var ending: String? {
    guard endsImport else { return nil }
    return """
      /// Ends the import. Call it after the last payload has been imported.
      func importEnded() async {
        await rootSaves.importEnded()
      }
      """
  }

  private func savingNow(_ root: String) -> String {
    """
    /// Saves \(root) before it returns. Call it when the app goes to the background: unsaved changes would be lost.
    func saveNow() throws {
      try \(root).performAndWait {
        guard \(root).hasChanges else { return }
    \(Self.indented(saved(description(root)), by: 4))
      }
    }
    """
  }

  private func saver(_ root: String) -> String {
    let properties = [
      "private let root: NSManagedObjectContext", "private let didFail: @Sendable (any Error) -> Void",
    ]
    let members = [
      (properties + savingState).joined(separator: "\n"),
      """
      init(root: NSManagedObjectContext, didFail: @escaping @Sendable (any Error) -> Void) {
        self.root = root
        self.didFail = didFail
      }
      """,
      noting, importEnding,
      """
      private func save() {
        root.perform { [root, didFail] in
          guard root.hasChanges else { return }
          do {
      \(Self.indented(saved(description(root), named: "root"), by: 6))
          } catch {
            didFail(error)
          }
        }
      }
      """,
    ].compactMap(\.self)
    return nested(
      """
      /// Saves root to the store\(when).
      actor RootSaves {
      \(members.map { Self.indented($0) }.joined(separator: "\n\n"))
      }
      """)
  }

  private var when: String {
    switch options.storeSave {
    case .immediate: ""
    case .every(let span): " \(SpanText.milliseconds(span)) ms after the first unsaved change"
    case .idle(let span): " when no change has been pushed or imported for \(SpanText.milliseconds(span)) ms"
    case .atEnd: " when the import has ended, and then after each push"
    }
  }

  private var savingState: [String] {
    switch options.storeSave {
    case .immediate: []
    case .every: ["private var isSaveDue = false"]
    case .idle:
      [
        "private var isSaveDue = false", "private var hasImportEnded = false",
        "private var lastChange = ContinuousClock.now",
      ]
    case .atEnd: ["private var hasImportEnded = false"]
    }
  }

  private var noting: String {
    switch options.storeSave {
    case .immediate: return ""
    case .every(let span):
      return """
        func noteChange() {
          guard !isSaveDue else { return }
          isSaveDue = true
          Task {
            try? await Task.sleep(for: \(Self.interval(span)))
            isSaveDue = false
            save()
          }
        }
        """
    case .idle(let span):
      return """
        /// Notes an unsaved change. Changes delay the save until the import ends, so that the last payload is stored.
        func noteChange() {
          if !hasImportEnded { lastChange = .now }
          guard !isSaveDue else { return }
          isSaveDue = true
          Task {
            while ContinuousClock.now < lastChange + \(Self.interval(span)) {
              try? await Task.sleep(until: lastChange + \(Self.interval(span)))
            }
            isSaveDue = false
            save()
          }
        }
        """
    case .atEnd:
      return """
        func noteChange() {
          if hasImportEnded { save() }
        }
        """
    }
  }

  private var importEnding: String? {
    switch options.storeSave {
    case .immediate, .every: return nil
    case .idle:
      return """
        func importEnded() {
          hasImportEnded = true
        }
        """
    case .atEnd:
      return """
        func importEnded() {
          hasImportEnded = true
          save()
        }
        """
    }
  }
}
