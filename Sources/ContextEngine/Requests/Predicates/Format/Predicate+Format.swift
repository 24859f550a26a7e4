// MARK: - From a format

extension Predicate {
  /// Reads a predicate written in the grammar of Cocoa's predicate formats.
  ///
  /// Property names are resolved at once, against an entity. `%@` stands for a value, a list or an object, `%K` for a key
  /// path, `%d`, `%lld`, `%f` and the like for a number; `$name` outside of a subquery for a value that
  /// `withSubstitutionVariables(_:)` gives later. Words may be in capitals or not; `#` before one makes it a name.
  ///
  /// - Throws: `.invalidPredicate` with what is wrong and where: a name that the entity does not have (with those that it
  ///   has), values that cannot be compared, a word where another is expected, arguments that are missing or too many.
  public init(
    format: String, _ arguments: any PredicateArgument..., for entity: EntityDescription, in model: ManagedObjectModel
  ) throws(PersistenceError) {
    try self.init(format: format, argumentArray: arguments, for: entity, in: model)
  }

  /// The same with its arguments in an array.
  public init(
    format: String, argumentArray arguments: [any PredicateArgument], for entity: EntityDescription,
    in model: ManagedObjectModel
  ) throws(PersistenceError) {
    do throws(PredicateFormatError) {
      var parser = try PredicateParser(format, arguments.map(\.predicateArgument), entity, model)
      self = try parser.parse()
    } catch {
      throw PersistenceError(
        .invalidPredicate, "the predicate “\(format)” is wrong at position \(error.position): \(error.message)")
    }
  }
}
