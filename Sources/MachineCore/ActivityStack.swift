/// The open activities of one thread, innermost last, and the role to which its work is accounted.
package struct ActivityStack: Sendable {
  /// The role of the innermost activity that sets one. If no activity does, it is the role of the block, and outside
  /// blocks the role of the thread.
  package private(set) var role: WorkRole

  private var open: [OpenActivity] = []

  /// - Parameter role: The role of the thread outside blocks and activities.
  package init(role: WorkRole) {
    self.role = role
  }

  /// An activity that has not ended, with the role that its end restores.
  private struct OpenActivity: Sendable {
    var activity: Activity
    var outerRole: WorkRole
  }

  /// The activity that began last among the open ones, or nil if no activity is open.
  package var innermost: Activity? { open.last?.activity }

  /// The activities that have not ended, outermost first.
  package var activities: [Activity] { open.map(\.activity) }

  package mutating func begin(_ activity: Activity) {
    open.append(OpenActivity(activity: activity, outerRole: role))
    if let own = activity.role {
      role = own
    }
  }

  /// Ends an activity and restores the role from before it. Traps unless `activity` is the one that began last.
  package mutating func end(_ activity: Activity) {
    guard let innermost = open.popLast() else {
      trapMisuse("The activity \(activity) was ended on a thread that has not begun any.")
    }
    guard innermost.activity == activity else {
      trapMisuse("The activity \(activity) was ended while \(innermost.activity) was the one begun last.")
    }
    role = innermost.outerRole
  }
}

// MARK: - Blocks

extension ActivityStack {
  /// The state of a thread from before a block, which the end of the block restores.
  package struct Outside: Sendable {
    fileprivate let role: WorkRole
    fileprivate let openCount: Int
  }

  /// Begins a block in the role that it inherited, and returns the state to pass to `endBlock(of:_:)`.
  package mutating func beginBlock(inRole role: WorkRole) -> Outside {
    defer { self.role = role }
    return Outside(role: self.role, openCount: open.count)
  }

  /// Ends a block and restores the role that the thread had before it. Traps if the number of
  /// open activities is not the same as at the beginning of the block.
  ///
  /// - Parameters:
  ///   - label: The label of the block's queue.
  ///   - outside: The value that `beginBlock(inRole:)` returned.
  package mutating func endBlock(of label: String, _ outside: Outside) {
    guard open.count == outside.openCount else {
      trapMisuse("A block of the queue “\(label)” returned without ending every activity that it began.")
    }
    role = outside.role
  }
}
