/// A mistake in the description of a stack, with the place and the correction.
struct TopologyFlaw: Error, Hashable, Sendable {
  /// The path of the key in a file, such as `contexts[1].parent`.
  let field: String
  let message: String

  init(_ field: String, message: String) {
    self.field = field
    self.message = message
  }
}
