import Reporting
import Workloads

/// Builds the page that describes a model.
package enum ModelPage {
  /// Returns the page of a version of a model, with its entities, attributes and relationships.
  package static func page(of document: ModelDocument) -> Page {
    let summary = ModelSummary(document)
    var sections = [Page.Section([.facts(facts(document, summary: summary))])]
    sections.append(
      document.entities.isEmpty
        ? Page.Section([.missing("The model has no entities.")])
        : Page.Section("Entities", [.table(entities(document))]))
    let attributes = document.entities.flatMap { entity in entity.attributes.map { (entity.name, $0) } }
    if !attributes.isEmpty { sections.append(Page.Section("Attributes", [.table(table(attributes))])) }
    let relationships = document.entities.flatMap { entity in entity.relationships.map { (entity.name, $0) } }
    if !relationships.isEmpty { sections.append(Page.Section("Relationships", [.table(table(relationships))])) }
    if !summary.remarks.isEmpty {
      sections.append(
        Page.Section("Remarks", [.list(Page.List(nil, summary.remarks.map { Page.Item("line \($0)") }))]))
    }
    return Page(title: "Model \(code: document.version)", sections: sections)
  }

  private static func facts(_ document: ModelDocument, summary: ModelSummary) -> [Page.Fact] {
    let identifier = document.header.versionIdentifier.map { ", identifier \($0)" } ?? ""
    let facts: [(String, String)] = [
      ("kind", "model of Core Data"),
      ("version", document.version + identifier),
      ("versions", document.versions.joined(separator: ", ")),
      ("current version", document.currentVersion ?? "not named"),
      (
        "entities",
        "\(summary.entities), \(summary.rootEntities) without a parent, \(summary.abstractEntities) abstract"
      ),
      (
        "attributes",
        "\(summary.attributes), \(summary.transient) transient, \(summary.derived) derived, \(summary.withDefault) with "
          + "a default"
      ),
      (
        "relationships",
        "\(summary.relationships), \(summary.toMany) to-many, \(summary.ordered) ordered, \(summary.withoutInverse) "
          + "without an inverse"
      ),
      ("many-to-many", "\(summary.manyToManyPairs) pairs of relationships"),
      ("constraints", "\(summary.uniquenessConstraints), \(summary.compoundUniqueness) over several properties"),
      (
        "indexes",
        "\(summary.fetchIndexes), and \(summary.indexedAttributes + summary.compoundIndexes) in the form before Xcode 9"
      ),
      ("requests", "\(summary.fetchRequests) templates, \(summary.fetchedProperties) fetched properties"),
      (
        "configurations",
        summary.configurations == 0 ? "0" : document.configurations.map(\.name).joined(separator: ", ")
      ),
    ]
    return facts.map { Page.Fact($0.0, PageText($0.1)) }
  }
}

// MARK: - Tables

extension ModelPage {
  private static func entities(_ document: ModelDocument) -> PageTable {
    PageTable(
      of: document.entities,
      [
        PageColumn("entity") { $0.name },
        PageColumn("inherits from") { $0.parent ?? "" },
        PageColumn("abstract") { $0.isAbstract ? "yes" : "" },
        PageColumn("attributes", .right) { "\($0.attributes.count)" },
        PageColumn("relationships", .right) { "\($0.relationships.count)" },
        PageColumn("unique by") { entity in
          entity.uniquenessConstraints.map { $0.properties.joined(separator: "+") }.joined(separator: ", ")
        },
      ])
  }

  private static func table(_ attributes: [(entity: String, attribute: ModelDocument.Attribute)]) -> PageTable {
    PageTable(
      of: attributes,
      [
        PageColumn("attribute") { "\($0.entity).\($0.attribute.name)" },
        PageColumn("type") { $0.attribute.type.rawValue },
        PageColumn("marks") { marks($0.attribute) },
      ])
  }

  private static func marks(_ attribute: ModelDocument.Attribute) -> String {
    let marks: [(String, Bool)] = [
      ("optional", attribute.isOptional), ("transient", attribute.isTransient), ("derived", attribute.isDerived),
      ("default", attribute.defaultValue != nil), ("indexed", attribute.isIndexed),
      ("external", attribute.allowsExternalStorage),
    ]
    return marks.filter(\.1).map(\.0).joined(separator: ", ")
  }

  private static func table(
    _ relationships: [(entity: String, relationship: ModelDocument.Relationship)]
  ) -> PageTable {
    PageTable(
      of: relationships,
      [
        PageColumn("relationship") { "\($0.entity).\($0.relationship.name)" },
        PageColumn("leads to") { arity($0.relationship) + " " + $0.relationship.destination },
        PageColumn("inverse") { $0.relationship.inverse ?? "" },
        PageColumn("deletion") { $0.relationship.deletionRule.rawValue },
      ])
  }

  private static func arity(_ relationship: ModelDocument.Relationship) -> String {
    let order = relationship.isOrdered ? "ordered " : ""
    return relationship.isToMany ? "\(order)many" : relationship.isOptional ? "one or no" : "one"
  }
}
