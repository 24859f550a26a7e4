import ArgumentParser
import CommandShell
import Experiments
import Workloads

/// The command `stackbench workloads`, which lists the values of `--workload`.
struct WorkloadsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workloads",
    abstract: "Lists the workloads: their entities, and how much of them a run imports unless told otherwise.")

  func run() {
    StandardOutput.write("\(text)\n")
  }
}

// MARK: - Text

extension WorkloadsCommand {
  var text: String {
    let generated = [
      paragraph("catalog", abstract: "suppliers, their products and the products' prices, linked", schema: .catalog),
      paragraph("catalog-reorder", abstract: "the same; updates change names, by which lists sort", schema: .catalog),
      paragraph("flat", abstract: "one entity without links", schema: .flat),
    ]
    return (generated + [feed]).joined(separator: "\n\n")
  }

  private func paragraph(_ name: String, abstract: String, schema: WorkloadSchema) -> String {
    let entities = schema.entities.map { entity in
      let links = entity.links.map { "\($0.name) → \($0.targetEntity)" }
      let properties = entity.allAttributes.map(\.name) + links
      return "  \(entity.name): \(properties.joined(separator: ", "))"
    }
    let standard = Experiment.standardLive.workload
    let defaults =
      "  --rows \(standard.rows ?? 0) --existing-rows \(standard.existingRows) "
      + "--batch-size \(standard.batchSize) --mix \(Mix.standard)"
    return (["\(name): \(abstract)"] + entities + [defaults]).joined(separator: "\n")
  }

  private var feed: String {
    let standard = Experiment.standardLive.workload
    return """
      FILE: a feed ending in .\(Workload.feedExtensions.joined(separator: ", .")), one record each
        an attribute a key; nested objects and IDs of others become relationships, lists of values JSON text
        at most 1900 attributes an entity, lists and objects nested 512 deep, 100000 members in one object
        --rows all --existing-rows 0 --batch-size \(standard.batchSize) --mix \(Mix.insertsOnly)
      """
  }
}
