/// The functions that find the profiles, references and shapes that a profile names.
///
/// Each function returns nil if the name is unknown.
package struct ProfileCatalogue: Sendable {
  package var declaration: @Sendable (String) throws(ProfileError) -> ProfileDeclaration?
  package var reference: @Sendable (String) throws(ProfileError) -> CostReference?
  package var shape: @Sendable (String) throws(ProfileError) -> CostShape?

  package init(
    declaration: @escaping @Sendable (String) throws(ProfileError) -> ProfileDeclaration?,
    reference: @escaping @Sendable (String) throws(ProfileError) -> CostReference?,
    shape: @escaping @Sendable (String) throws(ProfileError) -> CostShape?
  ) {
    self.declaration = declaration
    self.reference = reference
    self.shape = shape
  }
}
