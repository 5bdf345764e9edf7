export { ruralCreditAITable, tenantsTable, trimobe, usersTable } from './design';
export type { NewUser, User, UserReference } from './procedures';
export {
  addUser,
  changeEmail,
  EmailTaken,
  removeUser,
  UserContention,
  UserExists,
  UserNotFound,
  UserUnreadable,
} from './procedures';
export { type Duplicate, type FilledTenant, fillTenant } from './procedures/fill-tenant';
