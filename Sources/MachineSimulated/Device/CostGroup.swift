/// A group of cost parts that share one factor, by which the costs of the reference are multiplied.
package struct CostGroup: Hashable, Sendable, Codable {
  package var name: String
  package var title: String
  package var parts: [CostPart]
  package var factor: ProfileConstant

  package init(name: String, title: String, parts: [CostPart], factor: ProfileConstant) {
    self.name = name
    self.title = title
    self.parts = parts
    self.factor = factor
  }
}
