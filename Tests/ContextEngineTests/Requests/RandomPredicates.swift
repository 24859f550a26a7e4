import ContextEngine
import MachineCore
import TestSupport

/// Random rows and predicates over the library, with so few different values that they often match.
struct RandomPredicates {
  private(set) var random: SeededRandom

  private static let texts = [
    "", "a", "A", "é", "É", "e\u{301}", "ab", "Ab*", "straße", "STRASSE", "が", "か", "a\\d1", "x?y",
  ]
  private static let patterns = [
    "", "a", "A*", "*é", "?", "??", "*b*", "s*E", "a\\*", "[a-z]+", ".", "A.*", "ss", "か?",
  ]

  init(seed: UInt64) {
    random = SeededRandom(seed: seed, stream: "predicates")
  }

  // MARK: Rows

  /// Inserts the same objects into every context if it is called after the same calls.
  mutating func insertLibrary(into context: ManagedObjectContext) {
    let authors = (0..<4).map { _ in
      let author = context.insert(Author.entity)
      author[Author.name] = .string(text())
      author[Author.born] = number(nilEvery: 3)
      if random.below(2) == 0 {
        let passport = context.insert(Passport.entity)
        passport[Passport.number] = random.below(3) == 0 ? .null : .string(text())
        author.relate(passport, at: Author.passport)
      }
      return author
    }
    for _ in 0..<24 {
      let book = context.insert(Book.entity)
      book[Book.title] = random.below(5) == 0 ? .null : .string(text())
      book[Book.note] = random.below(3) == 0 ? .null : .string(text())
      book[Book.year] = number(nilEvery: 4)
      book[Book.price] = random.below(4) == 0 ? .null : .double(Double(random.below(9) - 4) / 2)
      book[Book.isRead] = random.below(4) == 0 ? .null : .boolean(random.below(2) == 0)
      book[Book.addedAt] = random.below(4) == 0 ? .null : .date(Double(random.below(4)))
      if random.below(4) != 0 { book.relate(authors[random.below(4)], at: Book.author) }
      for _ in 0..<random.below(4) {
        let chapter = context.insertChapter(text(), of: book)
        chapter[Chapter.number] = .integer(Int64(random.below(6)))
      }
    }
  }

  private mutating func text() -> String { Self.texts[random.below(Self.texts.count)] }

  private mutating func number(nilEvery chance: Int) -> Value {
    random.below(chance) == 0 ? .null : .integer(Int64(random.below(7) - 3))
  }

  // MARK: Predicates

  /// Returns a predicate on books.
  mutating func predicate(depth: Int) -> FetchPredicate {
    guard depth > 0 else { return comparison() }
    switch random.below(6) {
    case 0: return .and((0..<random.below(4)).map { _ in predicate(depth: depth - 1) })
    case 1: return .or((0..<random.below(4)).map { _ in predicate(depth: depth - 1) })
    case 2, 3: return .not(predicate(depth: depth - 1))
    default: return comparison()
    }
  }

  private mutating func comparison() -> FetchPredicate {
    switch random.below(9) {
    case 0, 1: return textTest(.keyPath(textPath()), .direct)
    case 2: return textComparison(.keyPath(textPath()), .direct)
    case 3: return numberComparison(.keyPath(numberPath()), .direct)
    case 4: return twoPaths()
    case 5: return overMany()
    case 6: return numberComparison(.aggregate(aggregate()), .direct)
    case 7: return subquery()
    default: return objects()
    }
  }

  private mutating func textPath() -> PropertyKeyPath {
    [
      PropertyKeyPath(Book.title), PropertyKeyPath(Book.note), PropertyKeyPath(Book.author, Author.name),
      PropertyKeyPath(Book.author, Author.passport, Passport.number),
    ][random.below(4)]
  }

  private mutating func numberPath() -> PropertyKeyPath {
    [
      PropertyKeyPath(Book.year), PropertyKeyPath(Book.price), PropertyKeyPath(Book.isRead),
      PropertyKeyPath(Book.author, Author.born),
    ][random.below(4)]
  }

  private mutating func options() -> ComparisonOptions {
    [[], [.caseInsensitive], [.diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive], [.normalized]][
      random.below(5)]
  }

  private mutating func textTest(_ left: FetchExpression, _ modifier: ComparisonPredicate.Modifier) -> FetchPredicate {
    let operation = [ComparisonPredicate.Operation.contains, .beginsWith, .endsWith, .like, .matches][random.below(5)]
    let pattern: FetchExpression
    switch random.below(5) {
    case 0: pattern = .keyPath(textPath())
    case 1: pattern = .constant(.null)
    default:
      let isPattern = operation == .like || random.below(2) == 0 && operation != .matches
      pattern = .constant(.string(isPattern ? Self.patterns[random.below(Self.patterns.count)] : expression(operation)))
    }
    return .compare(left, operation, pattern, modifier: modifier, options: options())
  }

  private mutating func expression(_ operation: ComparisonPredicate.Operation) -> String {
    operation == .matches ? ["", ".", "a|ab", "[A-Z]+", "\\w*", "É?", "a.*"][random.below(7)] : text()
  }

  private mutating func operation() -> ComparisonPredicate.Operation {
    [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual][random.below(6)]
  }

  private mutating func textComparison(_ left: FetchExpression, _ modifier: ComparisonPredicate.Modifier)
    -> FetchPredicate
  {
    let options = options()
    let value = { (random: inout SeededRandom) in
      random.below(4) == 0 ? Value.null : .string(Self.texts[random.below(Self.texts.count)])
    }
    switch random.below(4) {
    case 0:
      let values = (0..<random.below(4)).map { _ in value(&random) }
      return .compare(left, .isIn, .list(values), modifier: modifier, options: options)
    case 1:
      let bounds = [value(&random), value(&random)]
      return .compare(left, .between, .list(bounds), modifier: modifier, options: options)
    default:
      return .compare(left, operation(), .constant(value(&random)), modifier: modifier, options: options)
    }
  }

  private mutating func numberComparison(_ left: FetchExpression, _ modifier: ComparisonPredicate.Modifier)
    -> FetchPredicate
  {
    let value = { (random: inout SeededRandom) -> Value in
      switch random.below(5) {
      case 0: .null
      case 1: .double(Double(random.below(9) - 4) / 2)
      case 2: .boolean(random.below(2) == 0)
      default: .integer(Int64(random.below(7) - 3))
      }
    }
    switch random.below(4) {
    case 0:
      let values = (0..<random.below(4)).map { _ in value(&random) }
      return .compare(left, .isIn, .list(values), modifier: modifier)
    case 1: return .compare(left, .between, .list([value(&random), value(&random)]), modifier: modifier)
    default: return .compare(left, operation(), .constant(value(&random)), modifier: modifier)
    }
  }

  private mutating func twoPaths() -> FetchPredicate {
    if random.below(2) == 0 {
      return .compare(.keyPath(textPath()), operation(), .keyPath(textPath()), options: options())
    }
    let right: FetchExpression = random.below(2) == 0 ? .keyPath(numberPath()) : .count(Book.chapters)
    return .compare(.keyPath(numberPath()), operation(), right)
  }

  private mutating func modifier() -> ComparisonPredicate.Modifier {
    [.any, .all, .none][random.below(3)]
  }

  private mutating func overMany() -> FetchPredicate {
    switch random.below(6) {
    case 0: return textTest(.keyPath(Book.chapters, Chapter.title), modifier())
    case 1: return textComparison(.keyPath(Book.chapters, Chapter.title), modifier())
    case 2: return numberComparison(.keyPath(Book.chapters, Chapter.number), modifier())
    case 3: return numberComparison(.keyPath(Book.author, Author.books, Book.year), modifier())
    case 4: return textComparison(.keyPath(Book.author, Author.books, Book.chapters, Chapter.title), modifier())
    default: return textComparison(.keyPath(Book.chapters, Chapter.book, Book.author, Author.name), modifier())
    }
  }

  private mutating func aggregate() -> FetchExpression.Aggregate {
    let functions: [AggregateFunction] = [.sum, .minimum, .maximum, .average]
    switch random.below(4) {
    case 0: return .init(.count, of: PropertyKeyPath(Book.chapters))
    case 1: return .init(.count, of: PropertyKeyPath(Book.author, Author.books))
    case 2: return .init(functions[random.below(4)], of: PropertyKeyPath(Book.chapters, Chapter.number))
    default: return .init(functions[random.below(4)], of: PropertyKeyPath(Book.author, Author.books, Book.price))
    }
  }

  private mutating func subquery() -> FetchPredicate {
    let variable = { (steps: PropertyPath...) in
      FetchExpression.keyPath(PropertyKeyPath(steps: steps, root: .variable("x")))
    }
    let inner: FetchPredicate
    let collection: PropertyKeyPath
    if random.below(2) == 0 {
      collection = PropertyKeyPath(Book.chapters)
      inner = .and([
        textComparison(variable(Chapter.title), .direct),
        .or([
          .compare(variable(Chapter.title), .notEqual, .keyPath(Book.title)),
          numberComparison(variable(Chapter.number), .direct),
        ]),
      ])
    } else {
      collection = PropertyKeyPath(Book.author, Author.books)
      inner = .or([
        .compare(.variable("x"), .notEqual, .object), numberComparison(variable(Book.author, Author.born), .direct),
        .compare(
          .aggregate(.init(.count, of: PropertyKeyPath(steps: [Book.chapters], root: .variable("x")))), .greater,
          .count(Book.chapters)),
      ])
    }
    let count = FetchExpression.subqueryCount(.init(collection, variable: "x", predicate: inner))
    return .compare(count, operation(), .constant(.integer(Int64(random.below(4)))))
  }

  private mutating func objects() -> FetchPredicate {
    let book = { (random: inout SeededRandom) in ObjectID(entity: Book.entity.index, key: Int64(1 + random.below(26))) }
    let author = Value.object(ObjectID(entity: Author.entity.index, key: Int64(1 + random.below(5))))
    let isEqual: ComparisonPredicate.Operation = random.below(2) == 0 ? .equal : .notEqual
    switch random.below(7) {
    case 0: return .objectIsIn((0..<random.below(9)).map { _ in book(&random) })
    case 1: return .compare(.object, isEqual, .constant(.object(book(&random))))
    case 2: return .compare(.keyPath(Book.author), isEqual, .constant(random.below(3) == 0 ? .null : author))
    case 3: return .compare(.keyPath(Book.author, Author.passport), isEqual, .constant(.null))
    case 4:
      return .compare(
        .keyPath(Book.author, Author.books), isEqual, .constant(.object(book(&random))), modifier: modifier())
    case 5: return .compare(.keyPath(Book.author, Author.books), isEqual, .object, modifier: modifier())
    default: return .constant(random.below(2) == 0)
    }
  }

  mutating func below(_ bound: Int) -> Int { random.below(bound) }

  // MARK: Orders

  mutating func sortDescriptors() -> [FetchSortDescriptor] {
    (0...random.below(2)).map { _ in
      let isAscending = random.below(2) == 0
      guard random.below(3) > 0 else { return FetchSortDescriptor(numberPath(), isAscending: isAscending) }
      let order = TextOrder.allCases[random.below(TextOrder.allCases.count)]
      return FetchSortDescriptor(textPath(), isAscending: isAscending, textOrder: order)
    }
  }
}
