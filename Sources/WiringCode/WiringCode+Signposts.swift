import Topologies

/// The intervals that Instruments shows.
extension WiringCode {
  /// The names of intervals, which are names of causes or columns in Stackbench's results.
  package enum Interval: String, CaseIterable {
    case decode, `import`, fetch, push, save, merge, reset, edit
    case timeToVisible = "time_to_visible"
    case timeToDurable = "time_to_durable"
  }

  /// Returns statements inside an interval, or the statements alone if the code has no signposts. `throwing` is true if
  /// the statements throw. A single statement is on the line of the interval if both have fewer than 90 characters.
  func measured(_ interval: Interval, statements: String, throwing: Bool = true) -> String {
    guard hasSignposts else { return statements }
    let call = "\(throwing ? "try " : "")Self.measure(\"\(interval.rawValue)\")"
    let isShort = !statements.contains("\n") && statements.count + call.count < 90
    return isShort ? "\(call) { \(statements) }" : "\(call) {\n\(Self.indented(statements))\n}"
  }

  /// Returns the text of a nested type with calls of the stack's `measure`, because `Self` is the nested type there.
  func nested(_ text: String) -> String {
    text.replacing("Self.measure", with: "\(className).measure")
  }

  /// Returns the statement that saves a context into its parent's memory or the store, inside an interval if the code
  /// has signposts.
  func saved(_ context: ContextDescription, named name: String? = nil) -> String {
    measured(context.parent == nil ? .save : .push, statements: "try \(name ?? context.name).save()")
  }

  /// The interval of a whole payload, or nil if the import returns before the payload is visible or durable.
  var payloadInterval: Interval? {
    guard root != nil else { return .timeToDurable }
    if importContext.parent == uiContext.name { return .timeToVisible }
    return importContext.name == root && !putsOffRootSaves ? .timeToDurable : nil
  }

  /// The statements with which an import marks the interval of the payload, or nil if it does not mark one.
  var payloadSignpost: String? {
    guard hasSignposts, let interval = payloadInterval?.rawValue else { return nil }
    return """
      let payload = Self.signposter.beginInterval("\(interval)", id: Self.signposter.makeSignpostID())
      defer { Self.signposter.endInterval("\(interval)", payload) }
      """
  }

  var signpostMembers: [String] {
    guard hasSignposts else { return [] }
    return [
      """
      /// Instruments lists the intervals under this subsystem and category.
      static let signposter = OSSignposter(subsystem: "stackbench", category: "\(topology.title)")
      """,
      """
      /// Measures the work as an interval. The name is the name of a cause or a column in results of Stackbench.
      static func measure<T>(_ name: StaticString, _ work: () throws -> T) rethrows -> T {
        try signposter.withIntervalSignpost(name, id: signposter.makeSignpostID(), around: work)
      }
      """,
    ]
  }
}
