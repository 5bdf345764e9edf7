export { Contention } from '../disturbance';
export { ruralCreditAITable, tenantsTable, trimobe, usersTable } from './design';
export { ConversationNotFound, type Message, MessageExists, postMessage } from './procedures';
