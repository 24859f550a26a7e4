import ContextEngine

/// A model for tests of the types of attributes. Its entity is Sample, which has one attribute of each type. Each is
/// named after its type.
package enum EveryType {
  /// Creates the model with this transformer of the transformable attribute and these default values.
  package static func make(
    transformer: any ValueTransformer, defaultValues: [AttributeType: Value] = [:]
  ) -> ManagedObjectModel {
    ManagedObjectModel([
      .init(
        "Sample",
        attributes: AttributeType.allCases.map {
          AttributeDescription(
            $0.rawValue, $0, defaultValue: defaultValues[$0] ?? .null,
            valueTransformer: $0 == .transformable ? transformer : nil)
        })
    ])
  }
}
