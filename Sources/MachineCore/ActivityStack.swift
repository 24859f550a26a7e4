/// What one thread is doing: its open activities, innermost last, and the role that its work is accounted to.
package struct ActivityStack: Sendable {
  /// The role of the innermost activity that sets one, else of the block, else the thread's own.
  package private(set) var role: WorkRole

  private var open: [OpenActivity] = []

  /// - Parameter role: the thread's own, outside blocks and activities.
  package init(role: WorkRole) {
    self.role = role
  }

  /// An activity begun and not yet ended, with the role to go back to.
  private struct OpenActivity: Sendable {
    var activity: Activity
    var outerRole: WorkRole
  }

  /// The activity that began last of those that have not ended.
  package var innermost: Activity? { open.last?.activity }

  /// The activities that have not ended, outermost first.
  package var activities: [Activity] { open.map(\.activity) }

  package mutating func begin(_ activity: Activity) {
    open.append(OpenActivity(activity: activity, outerRole: role))
    if let own = activity.role {
      role = own
    }
  }

  /// Traps unless `activity` is the one that began last.
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
  /// What a thread was doing when it began a block.
  package struct Outside: Sendable {
    fileprivate let role: WorkRole
    fileprivate let openCount: Int
  }

  /// Begins a block in the role that it inherited.
  package mutating func beginBlock(inRole role: WorkRole) -> Outside {
    defer { self.role = role }
    return Outside(role: self.role, openCount: open.count)
  }

  /// Ends the block, and gives the thread its own role back. Traps if the block has left an activity open.
  ///
  /// - Parameter label: of the block's queue.
  package mutating func endBlock(of label: String, _ outside: Outside) {
    guard open.count == outside.openCount else {
      trapMisuse("A block of the queue “\(label)” returned without ending every activity that it began.")
    }
    role = outside.role
  }
}
