// MARK: - The parts of a topology in two processes

extension Topology {
  /// The part in the app's process: the contexts that are not on the import's coordinator, and their rules.
  ///
  /// The part has no import context. Use it only if the topology imports in a second process.
  package var appPart: Topology { part { !isOnImportCoordinator($0) } }

  /// The part in the process of the import: the contexts on the import's coordinator, and the rules between them. That
  /// coordinator is the first one there.
  ///
  /// The part has no UI context. Use it only if the topology imports in a second process.
  package var importPart: Topology {
    var part = part(isOnImportCoordinator)
    for index in part.contexts.indices { part.contexts[index].coordinator = nil }
    return part
  }

  /// The name of the coordinator of the import, or nil for the first one.
  package var importCoordinator: String? { coordinator(of: importContext) }

  /// Returns the name of the coordinator on which a context or the last of its parents is, or nil for the first one.
  package func coordinator(of context: String) -> String? { chain(from: context).last?.coordinator }

  private func isOnImportCoordinator(_ context: String) -> Bool { coordinator(of: context) == importCoordinator }

  private func part(_ isKept: (String) -> Bool) -> Topology {
    var part = self
    part.importsInSecondProcess = false
    part.contexts = contexts.filter { isKept($0.name) }
    part.rules = rules.filter { $0.contextNames(ui: uiContext).allSatisfy(isKept) }
    return part
  }
}

extension Rule {
  /// The names of the contexts that the rule concerns. `ui` is the name of the UI context, which refetches concern.
  fileprivate func contextNames(ui: String) -> [String] {
    var names: [String] = []
    if case .didSave(let context) = trigger { names.append(context) }
    switch action {
    case .save(let context), .merge(let context): names.append(context)
    case .refetchAllScreens, .refetchTouchedScreens, .refetchOtherScreens: names.append(ui)
    }
    return names
  }
}
