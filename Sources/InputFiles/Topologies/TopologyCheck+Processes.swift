import Topologies

/// The check of a stack whose import is in a second process.
extension TopologyCheck {
  /// Checks that the processes share only the file, and that the second one has no part of the user interface.
  func checkProcesses() throws(TopologyFlaw) {
    guard topology.importsInSecondProcess else { return }
    let key = "importsInSecondProcess"
    let (shown, importing) = (topology.uiContext, topology.importContext)
    guard topology.coordinator(of: shown) != topology.importCoordinator else {
      throw TopologyFlaw(
        key,
        message:
          "\(importing) and \(shown) have the same coordinator, which is in one process; add coordinator: import to the "
          + "context without parent above \(importing), or to \(importing)")
    }
    if let form = topology.editContext, topology.coordinator(of: form) == topology.importCoordinator {
      throw TopologyFlaw(
        key, message: "the user edits in \(form), which is on the import's coordinator; use another coordinator")
    }
    if let screened = topology.importPart.contexts.first(where: { $0.queue == .main || $0.lifetime == .screen }) {
      throw TopologyFlaw(
        key,
        message:
          "\(screened.name) is on the import's coordinator, and the second process has no main queue and no screens; use "
          + "queue: private and another lifetime than screen")
    }
    guard topology.context(named: importing)?.lifetime != .pool else {
      throw TopologyFlaw(
        key, message: "the contexts of a pool are compared with the store in the app's process; use another lifetime")
    }
    let parts = topology.appPart.rules + topology.importPart.rules
    for (index, rule) in topology.rules.enumerated() {
      let field = "rules[\(index)]"
      guard parts.contains(rule) else {
        throw TopologyFlaw(
          field,
          message:
            "it concerns contexts of both processes, which share only the file; use \(RuleDraft.remoteChangeKey): true")
      }
      if rule.trigger == .payloadImported {
        throw TopologyFlaw(
          field,
          message: "a payload ends in the second process, which has no screens; use \(RuleDraft.remoteChangeKey): true")
      }
      if rule.trigger == .remoteChange, topology.importPart.rules.contains(rule) {
        throw TopologyFlaw(
          field, message: "the app does not announce its saves to the second process; merge into a context of the app")
      }
    }
  }
}
