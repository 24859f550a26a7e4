import ContextEngine

// MARK: - From a format

extension FetchPredicate {
  /// Creates a predicate from a format in the grammar of Cocoa's predicate formats.
  ///
  /// Property names are resolved against an entity right away. `%@` is replaced by a value, a list or an object, `%K`
  /// by a key path, and `%d`, `%lld`, `%f` and similar ones by a number. A `$name` outside of a subquery is replaced by
  /// a value later, with `withSubstitutionVariables(_:)`. Keywords are not case-sensitive; `#` before a word makes it a
  /// name.
  ///
  /// ```swift
  /// let book = model.entity("Book")
  /// let isGood = try FetchPredicate(format: "rating >= %d", 4, for: book, in: model)
  /// let request = FetchRequest(book, predicate: isGood)
  /// ```
  ///
  /// - Throws: `.invalidPredicate` with a description of the mistake and its position: a name that the entity does not
  ///   have (with a list of its properties), values that cannot be compared, an unexpected word, missing or surplus
  ///   arguments.
  public init(
    format: String, _ arguments: any PredicateArgument..., for entity: EntityDescription, in model: ManagedObjectModel
  ) throws(PersistenceError) {
    try self.init(format: format, argumentArray: arguments, for: entity, in: model)
  }

  /// Creates a predicate from a format as `init(format:_:for:in:)` does, with the arguments in an array.
  ///
  /// - Throws: `.invalidPredicate` with a description of the mistake and its position.
  public init(
    format: String, argumentArray arguments: [any PredicateArgument], for entity: EntityDescription,
    in model: ManagedObjectModel
  ) throws(PersistenceError) {
    do throws(PredicateFormatError) {
      var parser = try PredicateParser(
        format, arguments: arguments.map(\.predicateArgument), entity: entity, model: model)
      self = try parser.parse()
    } catch {
      throw PersistenceError(
        .invalidPredicate, "the predicate “\(format)” is wrong at position \(error.position): \(error.message)")
    }
  }
}
