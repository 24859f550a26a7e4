import ContextEngine
import PredicateFormats
import TestSupport
import Testing

import struct Foundation.Date

/// The grammar of predicate formats, as Cocoa documents it.
@Suite struct PredicateFormatTests {
  private func predicate(_ format: String, _ arguments: any PredicateArgument...) throws -> FetchPredicate {
    try FetchPredicate(format: format, argumentArray: arguments, for: Book.entity, in: Library.model)
  }

  @Test(arguments: [
    ("title == 'Emma'", FetchPredicate.equal(Book.title, "Emma")),
    ("title = \"Emma\"", .equal(Book.title, "Emma")),
    ("'Emma' == title", .equal(Book.title, "Emma")),
    ("1900 < year", .comparison(Book.year, .greater, 1900)),
    ("year <> -3", .comparison(Book.year, .notEqual, -3)),
    (
      "year =< 0x10 && price >= 2",
      .and([.comparison(Book.year, .lessOrEqual, 16), .comparison(Book.price, .greaterOrEqual, .double(2))])
    ),
    ("isRead == YES or isRead = 0", .or([.equal(Book.isRead, .boolean(true)), .equal(Book.isRead, .boolean(false))])),
    (
      "NOT (title == nil AND !note != NULL)",
      .not(.and([.equal(Book.title, .null), .not(.comparison(Book.note, .notEqual, .null))]))
    ),
    ("year IN {1, 2, nil}", .isIn(Book.year, [1, 2, .null])),
    ("TRUEPREDICATE || FALSEPREDICATE", .or([.constant(true), .constant(false)])),
    ("addedAt > CAST(86400, 'NSDate')", .comparison(Book.addedAt, .greater, .date(86_400))),
    ("#title == 'it\\'s'", .equal(Book.title, "it's")),
    ("(title) == 'a'", .equal(Book.title, "a")),
    ("self.year == 1", .equal(Book.year, 1)),
    ("a == 1 OR b == 2 AND c == 3", .constant(false)),
  ])
  func `a format string gives the same predicate as code`(format: String, expected: FetchPredicate) throws {
    guard expected != .constant(false) else {
      // AND binds closer than OR.
      #expect(
        try predicate("year == 1 OR year == 2 AND year == 3")
          == .or([.equal(Book.year, 1), .and([.equal(Book.year, 2), .equal(Book.year, 3)])]))
      return
    }
    #expect(try predicate(format) == expected)
  }

  @Test func `arguments replace the placeholders in order and by type`() throws {
    let author = ObjectID(entity: Author.entity.index, key: 3)
    let book = ObjectID(entity: Book.entity.index, key: 4)
    #expect(
      try predicate("%K == %@ AND year > %d AND price < %f", "title", "Emma", 1900, 2.5)
        == .and([
          .equal(Book.title, "Emma"), .comparison(Book.year, .greater, 1900),
          .comparison(Book.price, .less, .double(2.5)),
        ]))
    #expect(try predicate("year IN %@", [1, 2]) == .isIn(Book.year, [1, 2]))
    #expect(try predicate("author == %@", author) == .equal(Book.author, .object(author)))
    #expect(try predicate("SELF IN %@", [book]) == .objectIsIn([book]))
    #expect(try predicate("SELF == %@", book) == .objectIsIn([book]))
    #expect(try predicate("note == %@", String?.none) == .equal(Book.note, .null))
    #expect(
      try predicate("addedAt == %@", Date(timeIntervalSinceReferenceDate: 5)) == .equal(Book.addedAt, .date(5)))
    #expect(
      try predicate("%K BEGINSWITH[cd] %@", "author.name", "A")
        == .compare(
          .keyPath(Book.author, Author.name), .beginsWith, .constant("A"),
          options: [.caseInsensitive, .diacriticInsensitive]))
  }

  @Test func `key paths, quantifiers, functions and subqueries are parsed`() throws {
    #expect(
      try predicate("ANY chapters.number > 2")
        == .compare(.keyPath(Book.chapters, Chapter.number), .greater, .constant(2), modifier: .any))
    #expect(
      try predicate("NONE author.books.title LIKE[c] '*x?'")
        == .compare(
          .keyPath(Book.author, Author.books, Book.title), .like, .constant("*x?"), modifier: .none,
          options: .caseInsensitive))
    #expect(
      try predicate("author.books.@count >= 2")
        == .compare(.count(Book.author, Author.books), .greaterOrEqual, .constant(2)))
    #expect(
      try predicate("chapters.@avg.number < 1.5")
        == .compare(
          .aggregate(.init(.average, of: PropertyKeyPath(Book.chapters, Chapter.number))), .less,
          .constant(.double(1.5))))
    #expect(try predicate("year BETWEEN {1, 5}") == .compare(.keyPath(Book.year), .between, .list([1, 5])))
    #expect(
      try predicate("title ==[n] note")
        == .compare(.keyPath(Book.title), .equal, .keyPath(Book.note), options: .normalized))
    #expect(
      try predicate("'x' IN chapters.title")
        == .compare(.keyPath(Book.chapters, Chapter.title), .equal, .constant("x"), modifier: .any))
    let inner = FetchPredicate.and([
      .compare(.keyPath(PropertyKeyPath(Chapter.title, root: .variable("c"))), .equal, .keyPath(Book.title)),
      .compare(.keyPath(PropertyKeyPath(Chapter.number, root: .variable("c"))), .greater, .constant(1)),
    ])
    #expect(
      try predicate("SUBQUERY(chapters, $c, $c.title == title AND $c.number > 1).@count == 0")
        == .compare(
          .subqueryCount(.init(PropertyKeyPath(Book.chapters), variable: "c", predicate: inner)), .equal, .constant(0)))
  }

  @Test func `a template throws until its variables are substituted`() throws {
    let template = try predicate("year > $year AND title CONTAINS $part")
    let stack = try Stack()
    try stack.seed { context in
      context.insertBook("Emma", year: 1815)
      context.insertBook("Emmeline", year: 1788)
    }
    try stack.inStore { context throws in
      let error = #expect(throws: PersistenceError.self) { try context.books(where: template) }
      #expect(error?.code == .invalidPredicate && error?.message.contains("$year") == true)
      let filled = template.withSubstitutionVariables(["year": 1800, "part": "mm"])
      let titles = try context.books(where: filled).map(\.title)
      #expect(titles == ["Emma"])
    }
  }

  /// Formats with errors: the error contains the position and the reason.
  @Test(arguments: [
    ("titel == 'x'", 0, "entity Book has no property “titel”; it has title, year, price"),
    ("year > 1 AND author.nom == 'x'", 13, "entity Author has no property “nom”; it has name, born"),
    ("title.length > 3", 0, "only relationships lead to other objects"),
    ("year == 'x'", 0, "year is compared with string(\"x\"), which has another type"),
    ("year CONTAINS 'x'", 0, "compare strings"),
    ("title MATCHES '(['", 0, "is not a regular expression"),
    ("author > nil", 0, "objects have no order"),
    ("chapters.title == 'x'", 0, "many values; put ANY, ALL or NONE"),
    ("ANY title == 'x'", 0, "need a key path over a to-many relationship"),
    ("year BETWEEN {1}", 0, "this one has 1"),
    ("year IN 5", 0, "need a list"),
    ("title ==[x] 'a'", 6, "“x” is not an option"),
    ("title == ", 9, "a property or a value is expected in place of the end"),
    ("title 'x'", 6, "an operator is expected"),
    ("(year == 1", 10, "“)” is expected in place of the end"),
    ("year == 1 year == 2", 10, "the predicate ends before “year”"),
    ("year == %d", 8, "there is no argument"),
    ("year == 1 ~ 2", 10, "“~” has no meaning here"),
    ("title == 'abc", 9, "has no end"),
    ("title == %x", 9, "“%x” is not a placeholder for an argument"),
    ("chapters.@median.number > 1", 0, "“@median” is not a function here"),
    ("year.@count > 1", 0, "@count needs a to-many relationship"),
    ("SUBQUERY(author, $a, $a.name == 'x').@count > 0", 0, "needs a to-many relationship"),
    ("SUBQUERY(chapters, $c, $d.number > 1).@count > 0", 23, "$d is not a variable"),
    ("author == chapters", 0, "many values"),
    ("title == author", 0, "title and author cannot be compared"),
  ])
  func `a parse error names the cause and its position`(format: String, position: Int, part: String) throws {
    let error = #expect(throws: PersistenceError.self) { try predicate(format) }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("at position \(position):") == true, "\(error?.message ?? "")")
  }

  @Test func `too many arguments or an argument of the wrong type throws`() throws {
    for (arguments, part) in [
      ([1, 2] as [any PredicateArgument], "2 arguments but only 1 placeholders"), (["x"], "placeholder needs a number"),
    ] {
      let error = #expect(throws: PersistenceError.self) {
        try FetchPredicate(format: "year == %d", argumentArray: arguments, for: Book.entity, in: Library.model)
      }
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }
  }
}
