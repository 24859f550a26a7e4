import ContextEngine
import TestSupport
import Testing

/// Changes that a batch update cannot make. Core Data raises exceptions for them. Here the request throws an error with
/// the property and the reason before it writes any row.
@Suite struct BatchUpdateErrorTests {
  private static let model = ManagedObjectModel([
    .init(
      "Task",
      attributes: [
        .init("title", .string, isOptional: false), .init("rank", .integer16), .init("weight", .float),
        .init("price", .decimal), .init("draft", .string, isTransient: true),
        .init("plain", .string, derivationExpression: "canonical:(title)"),
      ],
      relationships: [
        .init("list", to: "List", inverse: "tasks"), .init("owner", to: "Owner", inverse: "task"),
        .init("tags", to: "Tag", inverse: "tasks", isToMany: true),
      ]),
    .init("List", attributes: [], relationships: [.init("tasks", to: "Task", inverse: "list", isToMany: true)]),
    .init("Owner", attributes: [.init("name", .string)], relationships: [.init("task", to: "Task", inverse: "owner")]),
    .init("Tag", attributes: [], relationships: [.init("tasks", to: "Task", inverse: "tags", isToMany: true)]),
    .init("Chore", attributes: [.init("minutes", .integer64)], superentity: "Task"),
  ])
  private static let task = model.entity("Task")

  /// Returns the property that an update sets, the expression, and the words that the error contains.
  private static func refusal(_ name: String) -> (path: PropertyPath, expression: UpdateExpression, words: String) {
    func path(_ name: String) -> PropertyPath { task.path(name) }
    let list = Value.object(ObjectID(entity: model.entity("List").index, key: 1))
    return switch name {
    case "to-one": (path("list"), .constant(list), "sets Task.list, which is a relationship")
    case "to-one to nothing": (path("list"), .constant(.null), "sets Task.list, which is a relationship")
    case "one to one": (path("owner"), .constant(.null), "sets Task.owner, which is a relationship")
    case "to-many": (path("tags"), .constant(.null), "sets Task.tags, which is a relationship")
    case "object": (path("title"), .constant(list), "which is not of its type")
    case "type": (path("rank"), .constant("first"), "sets Task.rank to string(\"first\"), which is not of its type")
    case "range": (path("rank"), .constant(70_000), "sets Task.rank to integer(70000), which is not of its type")
    case "mandatory": (path("title"), .constant(.null), "sets Task.title to null, but it is mandatory")
    case "transient": (path("draft"), .constant("x"), "sets Task.draft, which is transient")
    case "from transient": (path("title"), .property(path("draft")), "from Task.draft, which is transient")
    case "derived": (path("plain"), .constant("x"), "sets Task.plain, which is derived from “canonical:(title)”")
    case "another entity": (model.entity("Owner").path("name"), .constant("x"), "a property of another entity")
    case "subentity": (model.entity("Chore").path("minutes"), .constant(1), "a property of another entity")
    case "copied": (path("rank"), .property(path("title")), "of type integer16, from Task.title, of type string")
    case "fraction": (path("rank"), .property(path("weight")), "of type integer16, from Task.weight, of type float")
    case "arithmetic": (path("title"), .sum(.constant("a"), .constant("b")), "calculates Task.title, of type string")
    default: (path("price"), .sum(.property(path("price")), .constant(.decimal(1))), "calculates Task.price")
    }
  }

  @Test(arguments: [
    "to-one", "to-one to nothing", "one to one", "to-many", "object", "type", "range", "mandatory", "transient",
    "from transient", "derived", "another entity", "subentity", "copied", "fraction", "arithmetic", "decimal",
  ])
  func `an invalid batch update throws an error with its cause and runs no statement`(_ name: String) throws {
    let stack = try Stack(model: Self.model)
    try stack.seed { $0.insert(Self.task)[Self.task.path("title")] = "one" }
    let refusal = Self.refusal(name)
    let request = BatchUpdateRequest(
      Self.task,
      propertiesToUpdate: [Self.task.path("weight"): .constant(.double(2)), refusal.path: refusal.expression])
    let statements = stack.statements {
      let error = #expect(throws: PersistenceError.self) { try stack.chain(1).leaf.executeAndWait(request) }
      #expect(error?.code == .unsupportedRequest)
      #expect(error?.message.contains(refusal.words) == true, "\(error?.message ?? "")")
    }
    #expect(statements.isEmpty)
    #expect(try PlainReader(stack).rows("SELECT ZTITLE, ZWEIGHT, Z_OPT FROM ZTASK") == [["one", "NULL", "1"]])
  }

  @Test func `a batch update converts integers to doubles and adds to dates`() throws {
    let stack = try Stack()
    try stack.seed { context in
      let book = context.insertBook("Emma", year: 1815)
      book[Book.addedAt] = .date(100)
    }
    let request = BatchUpdateRequest(
      Book.entity,
      propertiesToUpdate: [
        Book.price: .product(.property(Book.year), .constant(.double(0.5))),
        Book.addedAt: .sum(.property(Book.addedAt), .constant(.date(60))),
      ])
    try stack.context().executeAndWait(request)
    try stack.inStore { reading in
      let book = try #require(try reading.book("Emma"))
      #expect(book[Book.price] == .double(907.5) && book[Book.addedAt] == .date(160))
    }
  }
}
