/// A group of cost parts that share one factor, by which the costs of the reference are multiplied.
package struct CostGroup: Hashable, Sendable, Codable {
  package var name: String
  package var title: String
  package var parts: [CostPart]
  package var factor: ProfileConstant
  /// The ratios by which the factor changes from the middle to the end of each axis of the shape's uncertainty, or an
  /// empty array if the factor is drawn from its own range.
  ///
  /// Published figures often determine the sum of two costs and neither of them alone. The factors of a shape are
  /// therefore drawn together: there is one axis for each group, and a ratio of 1 means that the axis does not change
  /// this factor. Missing ratios at the end are 1.
  package var axes: [Double]

  package init(name: String, title: String, parts: [CostPart], factor: ProfileConstant, axes: [Double] = []) {
    self.name = name
    self.title = title
    self.parts = parts
    self.factor = factor
    self.axes = axes
  }
}
