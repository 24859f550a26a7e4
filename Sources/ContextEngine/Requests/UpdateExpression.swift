/// An expression from which a batch update computes an attribute of a row.
public indirect enum UpdateExpression: Hashable, Sendable {
  case constant(Value)
  /// The value of an attribute of the row before the update.
  case property(PropertyPath)
  case sum(UpdateExpression, UpdateExpression)
  case difference(UpdateExpression, UpdateExpression)
  case product(UpdateExpression, UpdateExpression)
}
