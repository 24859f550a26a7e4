extension ContextDescription {
  /// The properties of the context that few contexts have, as short phrases that lists and pictures of a topology show.
  package var notes: [String] {
    queryGeneration == .pinned ? ["pinned to a query generation"] : []
  }
}
