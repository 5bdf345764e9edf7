export { ruralCreditAITable, tenantsTable, trimobe, usersTable } from './design';
export {
  ConversationContention,
  ConversationNotFound,
  type Message,
  MessageExists,
  postMessage,
} from './procedures';
