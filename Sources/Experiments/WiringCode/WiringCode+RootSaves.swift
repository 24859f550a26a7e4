import MachineCore
import Topologies

/// The saves of a root between the UI and the store.
extension WiringCode {
  @CodeBuilder var rootSaveMembers: [Code] {
    if let root, let context = topology.context(named: root) {
      if putsOffRootSaves {
        "private func saveRootLater() {\n  Task { await rootSaves.noteChange() }\n}"
        if announcesEnd {
          """
          /// Ends the import. Call it after the last payload has been imported.
          func importEnded() async {
            await rootSaves.importEnded()
          }
          """
        }
        """
        /// Saves \(root) before it returns. Call it when the app goes to the background: unsaved changes would be lost.
        func saveNow() throws {
          try \(root).performAndWait {
            \(savedChanges(of: context))
          }
        }
        """
        nested(rootSaves(of: context))
      } else {
        """
        /// Saves \(root) to the store on \(root)'s queue. The caller does not wait for the save.
        \(posted("saveRootLater", of: context, named: root))
        """
      }
    }
  }

  /// Returns the function that saves a root on its queue.
  private func posted(_ function: String, of context: ContextDescription, named name: String) -> Code {
    """
    private func \(function)() {
      \(name).perform { [\(name), didFail] in
        guard \(name).hasChanges else { return }
        \(Self.catching(saved(context, named: name)))
      }
    }
    """
  }

  /// Returns the actor that puts off the saves of a root.
  private func rootSaves(of context: ContextDescription) -> Code {
    let (when, state, noting) = savingLater
    return """
      /// Saves root to the store \(when).
      actor RootSaves {
        private let root: NSManagedObjectContext
        private let didFail: @Sendable (any Error) -> Void
        \(state.map { "private var \($0)" })

        init(root: NSManagedObjectContext, didFail: @escaping @Sendable (any Error) -> Void) {
          self.root = root
          self.didFail = didFail
        }

        \(members: noting)

        \(posted("save", of: context, named: "root"))
      }
      """
  }

  /// The time of a save that is put off, in words, the properties on which it depends, and the functions that set them.
  private var savingLater: (when: String, state: [String], noting: [Code]) {
    let (isDue, hasEnded) = ("isSaveDue = false", "hasImportEnded = false")
    let ending: Code = "func importEnded() {\n  hasImportEnded = true\n}"
    switch options.run.storeSave {
    case .immediate: return ("", [], [])
    case .every(let span):
      let wait: Code = "try? await Task.sleep(for: \(Self.interval(span)))"
      return ("\(SpanText.milliseconds(span)) ms after the first unsaved change", [isDue], [Self.delayed(until: wait)])
    case .idle(let span):
      let end = "lastChange + \(Self.interval(span))"
      let wait: Code = "while ContinuousClock.now < \(end) {\n  try? await Task.sleep(until: \(end))\n}"
      let noting: Code = """
        /// Notes an unsaved change. Changes delay the save until the import ends, so that the last payload is stored.
        \(Self.delayed(until: wait, noting: "if !hasImportEnded { lastChange = .now }"))
        """
      return (
        "when no change has been pushed or imported for \(SpanText.milliseconds(span)) ms",
        [isDue, hasEnded, "lastChange = ContinuousClock.now"], [noting, ending]
      )
    case .atEnd:
      return (
        "when the import has ended, and then after each push", [hasEnded],
        [
          "func noteChange() {\n  if hasImportEnded { save() }\n}",
          "func importEnded() {\n  hasImportEnded = true\n  save()\n}",
        ]
      )
    }
  }

  /// Returns the function that notes a change, and saves after a wait.
  private static func delayed(until wait: Code, noting: Code? = nil) -> Code {
    """
    func noteChange() {
      \(noting)
      guard !isSaveDue else { return }
      isSaveDue = true
      Task {
        \(wait)
        isSaveDue = false
        save()
      }
    }
    """
  }

  /// Returns the expression of a time interval, which is valid for Dispatch and for `Duration`.
  private static func interval(_ span: TimeSpan) -> String {
    let (milliseconds, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest == 0 ? ".milliseconds(\(milliseconds))" : ".nanoseconds(\(span.nanoseconds))"
  }
}
