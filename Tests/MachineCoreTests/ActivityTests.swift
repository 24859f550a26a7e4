import MachineCore
import Testing

@Suite struct ActivityTests {
  @Test func `activities with the same title are equal, and others are not`() {
    let knitting = Activity("knitting")
    #expect(Activity("knitting") == knitting)
    #expect(Activity("purling") != knitting)
  }

  @Test func `an activity has its title and its role`() {
    let drawing = Activity("drawing", role: .user)
    #expect(drawing.title == "drawing" && "\(drawing)" == "drawing")
    #expect(drawing.role == .user)
    #expect(Activity("sketching").role == nil)
  }

  @Test func `an activity is found by its number`() {
    let carving = Activity("carving", role: .background)
    #expect(Activity(number: carving.number) == carving)
    #expect(Activity(number: .max) == nil)
  }

  @Test func `declaring one title with two roles stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = (Activity("weaving", role: .user), Activity("weaving", role: .background))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("The activity “weaving” was declared with two roles."))
  }

  @Test func `an activity without a role keeps the role of the work around it`() {
    var stack = ActivityStack(role: .background)
    stack.begin(Activity("drawing", role: .user))
    stack.begin(Activity("sketching"))
    #expect(stack.role == .user)
    stack.end(Activity("sketching"))
    stack.end(Activity("drawing", role: .user))
    #expect(stack.role == .background)
  }
}
