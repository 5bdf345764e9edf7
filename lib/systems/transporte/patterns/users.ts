import type { TableDesign } from '../../../design/table';

/** Users with their plans, and sessions. */
export const users = {
  createUser: {
    op: 'put',
    purpose: 'Who has no drivers, no vehicles and no waybills yet',
    entity: 'User',
    item: {
      data: '<data>',
      subscription: '<subscription>',
      credits: '<credits>',
      config: '<config?>',
      conductores: 0,
      vehiculos: 0,
    },
  },
  editUser: {
    op: 'update',
    purpose: 'Who it is, and who issues its waybills',
    entity: 'User',
    where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
    set: {
      'data.email': '<email?>',
      'data.fullName': '<fullName?>',
      'data.avatarUrl': '<avatarUrl?>',
      'data.timezone': '<timezone?>',
      config: '<config?>',
    },
  },
  changePlan: {
    op: 'update',
    purpose: 'With the limits of the plan; what is past a smaller limit stays',
    entity: 'User',
    where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
    set: { subscription: '<subscription>' },
  },
  // Once a month, however often a timer fires: a second time would forgive what was used since.
  startMonth: {
    op: 'update',
    purpose: 'Waybills are counted by the month; refused for a month that has begun',
    entity: 'User',
    where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
    set: { 'credits.monthlyUsed': 0, 'credits.month': '<month>' },
    condition: { none: [{ 'credits.month': { atLeast: '<month>' } }] },
  },
  // The document's own users have no counts: until they are counted, they are refused another driver or vehicle, and one less.
  countResources: {
    op: 'update',
    purpose: 'Once, for a user from before there were counts',
    entity: 'User',
    where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
    set: { conductores: '<conductores>', vehiculos: '<vehiculos>' },
    condition: { conductores: { exists: false } },
  },
  // A user who is made again begins with counts of 0: what is left behind would be past the plan, and never counted.
  deleteUser: {
    op: 'delete',
    purpose: 'Who has no drivers and no vehicles any more; trips, trailers and waybills stay',
    entity: 'User',
    where: { PK: 'USER#<userId>', SK: 'PROFILE#metadata' },
    condition: { conductores: 0, vehiculos: 0 },
  },

  openSession: { op: 'put', entity: 'Session' },
  touchSession: {
    op: 'update',
    purpose: 'It expires later',
    entity: 'Session',
    where: { PK: 'USER#<userId>', SK: 'SESSION#<sessionId>' },
    set: { ttl: '<ttl>' },
  },
  closeSession: { op: 'delete', entity: 'Session', where: { PK: 'USER#<userId>', SK: 'SESSION#<sessionId>' } },
} as const satisfies TableDesign['patterns'];
