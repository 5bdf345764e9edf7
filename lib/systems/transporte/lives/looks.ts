/* The errors that refused writes throw, and the reads that the cases check afterwards. */

export const CONDITION = 'ConditionalCheckFailedException';
export const TRANSACTION = 'TransactionCanceledException';
export const inStatus = ['userId', 'id', 'nombre', 'estado', 'updatedAt'];
export const look = (pattern: string, values: object, ...returns: readonly string[]) => ({ pattern, values, returns });
export const profileOf = (userId: string, ...returns: readonly string[]) => look('getProfile', { userId }, ...returns);
export const tripOfAna = (viajeId: string, ...returns: readonly string[]) =>
  look('getTrip', { userId: '123', viajeId }, ...returns);
export const underWay = (...returns: readonly string[]) => ({
  ...look('tripsByStatus', { estado: 'en_curso' }, ...returns),
  select: inStatus,
});
export const onDate = (fechaInicio: string, ...returns: readonly string[]) =>
  look('tripsOfDate', { fechaInicio }, ...returns);
export const available = (...returns: readonly string[]) => ({
  ...look('availableDrivers', {}, ...returns),
  select: inStatus,
});
export const ofUser = (pattern: string, userId: string, ...returns: readonly string[]) =>
  look(pattern, { userId }, ...returns);
