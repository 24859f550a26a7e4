import Foundation
import Testing
import Workloads

/// Real models, in the folder that `STACKBENCH_SAMPLES` names.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run these"))
struct SampleModelTests {
  private let folder = (ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? "") + "/models"

  @Test func `the model of a shopping list is read`() throws {
    let document = try ModelDocument(path: folder + "/shoppinglist/ShoppingList.xcdatamodeld")
    let summary = ModelSummary(document)
    #expect(summary.entities == 2 && summary.attributes == 13 && summary.relationships == 2)
    #expect(summary.versions == 1 && summary.currentVersion == "ShoppingList" && summary.withDefault == 8)
    #expect(document.header.isUsedWithCloudKit && document.remarks.isEmpty)
  }

  @Test func `a model with an abstract entity and without a current version is read`() throws {
    let document = try ModelDocument(path: folder + "/moody/Moody.xcdatamodeld")
    let summary = ModelSummary(document)
    #expect(summary.entities == 4 && summary.attributes == 14 && summary.relationships == 4)
    #expect(document.entity("Region")?.isAbstract == true)
    #expect(document.entities.filter { $0.parent == "Region" }.map(\.name) == ["Continent", "Country"])
    #expect(summary.compoundIndexes == 2 && summary.indexedAttributes == 2 && document.remarks.isEmpty)
  }

  @Test func `a model with three versions is read in its current version`() throws {
    let path = folder + "/coredataplus/SampleModel.xcdatamodeld"
    let document = try ModelDocument(path: path)
    let summary = ModelSummary(document)
    #expect(document.versions == ["SampleModel", "SampleModel2", "SampleModel3"])
    #expect(summary.currentVersion == "SampleModel" && summary.entities == 4 && summary.attributes == 12)
    #expect(summary.transient == 2 && summary.relationships == 2 && summary.uniquenessConstraints == 2)
    #expect(summary.compoundUniqueness == 1 && document.remarks.isEmpty)
    let last = ModelSummary(try ModelDocument(path: path, version: "SampleModel3"))
    #expect(last.entities == 5 && last.manyToManyPairs == 1)
    let renamed = try ModelDocument(path: path, version: "SampleModel2").entity("LuxuryCar")
    #expect(renamed?.renamingIdentifier == "ExpensiveSportCar")
  }
}
