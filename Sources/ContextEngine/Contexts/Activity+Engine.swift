import MachineCore

/// The activities of the engine's threads.
extension Activity {
  /// A context reads objects, values or a count from its parent or its store.
  public static let fetch = Activity("fetch")
  /// A fault fires.
  public static let fault = Activity("fault")
  /// A child context copies its changes into its parent.
  public static let push = Activity("push")
  /// A context saves its changes, or changes a store without objects.
  public static let save = Activity("save")
  /// A context merges the changes of another context's save.
  public static let merge = Activity("merge", role: .user)
  /// A fetched results controller calls its delegate.
  public static let controller = Activity("controller")
}
