import MachineCore
import Testing

@Suite struct ActivityTests {
  @Test(arguments: [Activity.frame, .merge, .reset, .edit])
  func `what the user sees or does counts for the user interface`(activity: Activity) {
    #expect(activity.role == .ui)
  }

  @Test(arguments: [Activity.decode, .importing])
  func `decoding and importing count for the import`(activity: Activity) {
    #expect(activity.role == .importing)
  }

  @Test(arguments: [Activity.fetch, .fault, .push, .save, .controller])
  func `what either side does keeps the role of whoever does it`(activity: Activity) {
    #expect(activity.role == nil)
  }
}
