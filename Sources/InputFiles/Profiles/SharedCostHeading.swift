/// The fields at the beginning of the file of a reference or a shape.
struct SharedCostHeading {
  let name: String
  let title: String
  let version: Int
  let description: String

  /// Reads the fields. The version must be from 1 to 1,000,000.
  init(_ root: YAMLMapping) throws(YAMLError) {
    name = try root.text("name")
    title = try root.text("title")
    version = try root.integer("version", in: 1...1_000_000)
    description = try root.text("description")
  }
}
