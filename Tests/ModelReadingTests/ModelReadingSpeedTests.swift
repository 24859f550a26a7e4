import Foundation
import Testing
import Workloads

/// The time that reading takes. It is printed and has no limit, because tests share their computer.
@Suite struct ModelReadingSpeedTests {
  @Test func `a model of 100 entities is read`() throws {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<model type=\"m\">\n"
    for entity in 0..<100 {
      text += "  <entity name=\"Entity\(entity)\" representedClassName=\"Entity\(entity)\" syncable=\"YES\">\n"
      for attribute in 0..<20 {
        text +=
          "    <attribute name=\"attribute\(attribute)\" optional=\"YES\" attributeType=\"Integer 32\" "
          + "defaultValueString=\"0\" usesScalarValueType=\"YES\"/>\n"
      }
      let (next, last) = ((entity + 1) % 100, (entity + 99) % 100)
      text +=
        "    <relationship name=\"next\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"Entity\(next)\" inverseName=\"last\" inverseEntity=\"Entity\(next)\"/>\n"
        + "    <relationship name=\"last\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"Entity\(last)\" inverseName=\"next\" inverseEntity=\"Entity\(last)\"/>\n"
        + "    <fetchIndex name=\"index\"><fetchIndexElement property=\"attribute0\"/></fetchIndex>\n  </entity>\n"
    }
    text += "</model>\n"
    let start = ContinuousClock.now
    let document = try ModelText.document(text)
    print("A model of 100 entities and \(text.utf8.count) bytes was read in \(ContinuousClock.now - start).")
    #expect(ModelSummary(document).attributes == 2_000)
    #expect(ModelSummary(document).relationships == 200)
  }
}
