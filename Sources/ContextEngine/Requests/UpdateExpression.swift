/// What a batch update computes for an attribute of a row.
public indirect enum UpdateExpression: Hashable, Sendable {
  case constant(Value)
  /// What another attribute of the row had before the update.
  case property(PropertyPath)
  case sum(UpdateExpression, UpdateExpression)
  case difference(UpdateExpression, UpdateExpression)
  case product(UpdateExpression, UpdateExpression)
}
