import Topologies

/// A rule while it is read from a file or written, with one value for each key.
struct RuleDraft: Sendable {
  /// The name of the context whose saves trigger the rule, or nil if payloads do.
  var savedContext: String?
  /// True if the last unit of a payload triggers the rule.
  var followsPayload = false
  /// True if a write of another coordinator triggers the rule.
  var followsRemoteChange = false
  /// The name of the context that is saved.
  var saved: String?
  /// The name of the context that merges.
  var merging: String?
  /// The screens that fetch again.
  var refetched: Refetched?

  /// Screens that fetch again.
  enum Refetched: String, CaseIterable {
    case all
    case touched
    case others
  }

  init() {}

  init(_ rule: Rule) {
    switch rule.trigger {
    case .didSave(let name): savedContext = name
    case .payloadImported: followsPayload = true
    case .remoteChange: followsRemoteChange = true
    }
    switch rule.action {
    case .save(let name): saved = name
    case .merge(let name): merging = name
    case .refetchAllScreens: refetched = .all
    case .refetchTouchedScreens: refetched = .touched
    case .refetchOtherScreens: refetched = .others
    }
  }
}

// MARK: - Keys

extension RuleDraft {
  static let savedContextKey = "afterSaveOf"
  static let payloadKey = "afterPayload"
  static let remoteChangeKey = "afterRemoteChange"
  static let saveKey = "save"
  static let mergeKey = "mergeInto"
  static let refetchKey = "refetch"

  static let keys: [YAMLKey<RuleDraft>] = [
    .optional(savedContextKey, \.savedContext, .text, "the context whose save triggers the rule", example: "worker"),
    .standard(payloadKey, \.followsPayload, .flag, false, "true if the last unit of a payload triggers it"),
    .standard(
      remoteChangeKey, \.followsRemoteChange, .flag, false, "true if a write of another coordinator triggers it"),
    .optional(saveKey, \.saved, .text, "the context that saves then", example: "main"),
    .optional(mergeKey, \.merging, .text, "the context that merges the save then", example: "main"),
    .optional(
      refetchKey, \.refetched, .choice,
      "the screens that reset and fetch again then: all, touched (those that show a changed entity), or others (touched "
        + "by another screen's save)"),
  ]

  /// Returns the rule in a mapping.
  ///
  /// - Throws: `YAMLError` if the rule does not have exactly one trigger and one action.
  static func rule(_ mapping: YAMLMapping) throws(YAMLError) -> Rule {
    let draft = try keys.value(of: mapping, RuleDraft())
    return Rule(trigger: try draft.trigger(mapping), action: try draft.action(mapping))
  }

  private func trigger(_ mapping: YAMLMapping) throws(YAMLError) -> Rule.Trigger {
    let given = [Self.savedContextKey, Self.payloadKey, Self.remoteChangeKey].filter(mapping.has)
    guard given.count < 2 else {
      throw mapping.error(given[1], "contradicts \(given[0]); use one of the two")
    }
    if let savedContext { return .didSave(savedContext) }
    if followsRemoteChange { return .remoteChange }
    guard followsPayload else {
      throw Self.missing(
        "no trigger; add \(Self.savedContextKey): with the name of a context, or \(Self.payloadKey): true", mapping)
    }
    return .payloadImported
  }

  private func action(_ mapping: YAMLMapping) throws(YAMLError) -> Rule.Action {
    let given = [Self.saveKey, Self.mergeKey, Self.refetchKey].filter(mapping.has)
    guard given.count < 2 else {
      throw mapping.error(given[1], "contradicts \(given[0]); use a rule for each action")
    }
    if let saved { return .save(saved) }
    if let merging { return .merge(into: merging) }
    switch refetched {
    case .all: return .refetchAllScreens
    case .touched: return .refetchTouchedScreens
    case .others: return .refetchOtherScreens
    case nil:
      throw Self.missing("no action; add \(Self.saveKey), \(Self.mergeKey) or \(Self.refetchKey)", mapping)
    }
  }

  private static func missing(_ message: String, _ mapping: YAMLMapping) -> YAMLError {
    YAMLError(
      .missingKey, message, place: mapping.place, line: mapping.line, key: String(mapping.path.dropLast()))
  }
}
