export { ruralCreditAITable, tenantsTable, trimobe, usersTable } from './design';
