import Topologies

/// The intervals that Instruments shows.
extension WiringCode {
  /// The names of intervals, which are names of causes or columns in Stackbench's results.
  package enum Interval: String, CaseIterable {
    case decode, `import`, fetch, push, save, merge, reset, edit
    case timeToVisible = "time_to_visible"
    case timeToDurable = "time_to_durable"
  }

  /// Returns statements inside an interval, or the statements alone if the code has no signposts. Merges do not throw.
  func measured(_ interval: Interval, @CodeBuilder _ statements: () -> Code) -> Code {
    guard hasSignposts else { return statements() }
    let call: Code = "\(interval == .merge ? "" : "try ")Self.measure(\"\(interval.rawValue)\")"
    return .block(call, body: statements(), upTo: 94)
  }

  /// Returns the text of a nested type with calls of the stack's `measure`, because `Self` is the nested type there.
  func nested(_ code: Code) -> Code {
    Code(code.description.replacing("Self.measure", with: "\(className).measure"))
  }

  /// The interval of a whole payload, or nil if the import returns before the payload is visible or durable.
  private var payloadInterval: Interval? {
    guard root != nil else { return .timeToDurable }
    if worker.parent == ui.name { return .timeToVisible }
    return worker.name == root && !putsOffRootSaves ? .timeToDurable : nil
  }

  /// The statements with which an import marks the interval of the payload, or nil if it does not mark one.
  var payloadSignpost: Code? {
    guard hasSignposts, let interval = payloadInterval?.rawValue else { return nil }
    return """
      let payload = Self.signposter.beginInterval("\(interval)", id: Self.signposter.makeSignpostID())
      defer { Self.signposter.endInterval("\(interval)", payload) }
      """
  }

  @CodeBuilder var signpostMembers: [Code] {
    if hasSignposts {
      """
      /// Instruments lists the intervals under this subsystem and category.
      static let signposter = OSSignposter(subsystem: "stackbench", category: "\(topology.title)")
      """
      """
      /// Measures the work as an interval. The name is the name of a cause or a column in results of Stackbench.
      static func measure<T>(_ name: StaticString, _ work: () throws -> T) rethrows -> T {
        try signposter.withIntervalSignpost(name, id: signposter.makeSignpostID(), around: work)
      }
      """
    }
  }
}
