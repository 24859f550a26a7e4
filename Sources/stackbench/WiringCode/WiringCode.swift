import Reporting
import Topologies

/// A wiring as a Swift file for the real framework: a class with its contexts, its rules, its import and its lists.
///
/// A pure function of its values, put together from pieces that each stand for one thing in the topology: a context, a
/// rule, a flag. What is printed is plain Core Data, in the language mode of Swift 5.
struct WiringCode: Sendable {
  let topology: Topology
  let options: WiringCodeOptions
  /// The command that prints it.
  let command: String

  /// The text of the file, with a line break at the end.
  var text: String {
    let members = [settings, properties] + contextMembers + ruleMembers + importMembers + screenMembers
    return """
      // \(topology.title) (\(topology.number)), printed by:
      //   \(command)

      import CoreData

      \(documentation)
      final class \(className) {
      \(members.map { WiringCode.indented($0) }.joined(separator: "\n\n"))
      }

      """
  }

  /// `worker-merge/notification` is `WorkerMergeNotificationStack`.
  private var className: String {
    topology.title.split { $0 == "-" || $0 == "/" }.map { String($0).sentenceCased }.joined()
      + "Stack"
  }
}

// MARK: - What the pieces ask

extension WiringCode {
  func description(_ name: String) -> ContextDescription {
    // A topology's rules and roles name its own contexts.
    guard let found = topology.contexts.first(where: { $0.name == name }) else {
      fatalError("topology \(topology.title) has no context called \(name)")
    }
    return found
  }

  var uiContext: ContextDescription { description(topology.uiContext) }
  var importContext: ContextDescription { description(topology.importContext) }

  /// Whether each screen has a context of its own.
  var hasContextPerScreen: Bool { uiContext.lifetime == .screen }

  /// Whether screens are reset and fetch again after a save, in place of following it.
  var refetches: Bool {
    topology.rules.contains { rule in
      switch rule.action {
      case .refetchAllScreens, .refetchTouchedScreens, .refetchOtherScreens: true
      case .save, .merge: false
      }
    }
  }

  /// The contexts that are made with the stack and kept.
  var keptContexts: [ContextDescription] {
    topology.contexts.filter { $0.lifetime == .app || $0.lifetime == .lane }
  }

  /// Whether there are several of a context, by number.
  func isArray(_ context: ContextDescription) -> Bool { context.lifetime == .lane && options.lanes > 1 }

  /// The name of the property that holds a context, or all of its kind.
  func property(_ context: ContextDescription) -> String { isArray(context) ? "\(context.name)s" : context.name }
}

// MARK: - Text

extension WiringCode {
  static func indented(_ text: String, by count: Int = 2) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }

  /// Lines of a documentation comment.
  static func comment(_ paragraphs: [String], width: Int = 116) -> String {
    paragraphs.flatMap { paragraph -> [String] in
      guard !paragraph.isEmpty else { return ["///"] }
      // What is indented is a picture, and what begins with a hyphen hangs below its first word.
      guard !paragraph.hasPrefix(" ") else { return ["/// " + paragraph] }
      let hanging = paragraph.hasPrefix("- ") ? 2 : 0
      return WrappedText.lines(paragraph, width: width, hanging: hanging).map { "/// " + $0 }
    }.joined(separator: "\n")
  }

  private var documentation: String {
    let picture = topology.contexts.map { context in
      let queue = context.queue == .main ? "main queue" : "private queue"
      return "    \(context.parent ?? "store") <- \(context.name): \(queue), one per \(context.lifetime.rawValue)"
    }
    let uses = topology.uses.map {
      "- \($0.purpose.rawValue): \($0.context). \($0.reason.sentenceCased) (\($0.source))."
    }
    return WiringCode.comment(
      [topology.summary.sentenceCased + ".", ""] + picture
        + (uses.isEmpty ? [] : ["", "Which context for what:"] + uses))
  }
}
