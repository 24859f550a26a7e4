import ContextEngine
import Harness
import MachineCore
import Metrics
import Testing

/// The activities of the engine and of an app.
@Suite struct ActivityTests {
  @Test(arguments: [Activity.frame, .merge, .reset, .edit])
  func `work that the user sees or causes counts for the user interface`(activity: Activity) {
    #expect(activity.role == .user)
  }

  @Test(arguments: [Activity.decode, .importing])
  func `decoding and importing count for the import`(activity: Activity) {
    #expect(activity.role == .background)
  }

  @Test(arguments: [Activity.fetch, .fault, .push, .save, .controller])
  func `work that the user interface and an import share has no role`(activity: Activity) {
    #expect(activity.role == nil)
  }

  @Test(arguments: [
    (Activity.frame, TimeLabel.frame), (.merge, .merge), (.reset, .reset), (.edit, .edit), (.decode, .decode),
    (.importing, .importing), (.fetch, .fetch), (.fault, .fault), (.push, .push), (.save, .save),
    (.controller, .controller),
  ])
  func `each activity has the label of the same name`(activity: Activity, label: TimeLabel) {
    #expect(TimeLabel(of: activity) == label)
  }

  @Test func `an activity that no column counts is other time`() {
    #expect(TimeLabel(of: Activity("knitting")) == .other)
  }
}
