extension ContextDescription {
  /// The properties of the context that few contexts have, as short phrases that lists and pictures of a topology show.
  package var notes: [String] {
    var notes: [String] = []
    if let coordinator { notes.append("on the coordinator \(coordinator)") }
    if isConfined { notes.append("confined to it") }
    if retainsRegisteredObjects { notes.append("keeps its objects") }
    if queryGeneration == .pinned { notes.append("pinned to a query generation") }
    return notes
  }
}
