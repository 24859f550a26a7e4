import ContextEngine
import Harness
import MachineCore
import Metrics
import Testing

/// The activities of the engine and of an app.
@Suite struct ActivityTests {
  @Test(arguments: [Activity.frame, .merge, .reset, .edit])
  func `frames, merges, resets and edits have the role of the user`(activity: Activity) {
    #expect(activity.role == .user)
  }

  @Test(arguments: [Activity.decode, .importing, .computation])
  func `decoding, importing and computing have the background role`(activity: Activity) {
    #expect(activity.role == .background)
  }

  @Test(arguments: [Activity.fetch, .fault, .push, .save, .controller])
  func `activities shared by the UI and the import have no role`(activity: Activity) {
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

  @Test func `an activity without a column has the label other`() {
    #expect(TimeLabel(of: Activity("knitting")) == .other)
  }
}
