/// The callbacks that an entity declares, reduced to the part that the model needs: their kinds.
///
/// The callbacks themselves take managed objects, which a model does not use. A subclass contains them.
// `@unchecked Sendable`: immutable, as are its subclasses.
class DeclaredCallbacks: @unchecked Sendable {
  let hooks: Hooks

  init(_ hooks: Hooks) {
    self.hooks = hooks
  }

  /// A set of kinds of callbacks.
  struct Hooks: OptionSet {
    let rawValue: UInt16

    static let awakeFromInsert = Hooks(rawValue: 1 << 0)
    static let awakeFromFetch = Hooks(rawValue: 1 << 1)
    static let awakeFromSnapshotEvents = Hooks(rawValue: 1 << 2)
    static let prepareForDeletion = Hooks(rawValue: 1 << 3)
    static let willSave = Hooks(rawValue: 1 << 4)
    static let didSave = Hooks(rawValue: 1 << 5)
    static let turningIntoFault = Hooks(rawValue: 1 << 6)
    static let validateForInsert = Hooks(rawValue: 1 << 7)
    static let validateForUpdate = Hooks(rawValue: 1 << 8)
    static let validateForDelete = Hooks(rawValue: 1 << 9)
    static let validateValue = Hooks(rawValue: 1 << 10)
  }
}
