import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { ruralCreditAITable, trimobe, usersTable } from './design';

const { unique: _, ...User } = usersTable.entities.User;
const { releaseEmail: __, ...usersPatterns } = usersTable.patterns;
const users: TableDesign = { ...usersTable, entities: { User }, patterns: usersPatterns };

const { ConversationHeader, ...entities } = ruralCreditAITable.entities;
const { conversationWithMessages, createConversation, updateConversation, deleteConversation, ...patterns } =
  ruralCreditAITable.patterns;

/** The table to the letter of its document: a conversation is one item. */
const ruralCreditAI: TableDesign = {
  ...ruralCreditAITable,
  entities,
  patterns: {
    ...patterns,
    conversationWithMessages: { ...conversationWithMessages, returns: ['Message'] },
    createConversation: { op: 'put', entity: 'Conversation' },
    updateConversation: updateConversation.steps.conversation,
    deleteConversation: deleteConversation.steps.conversation,
  },
  acknowledge: {},
};

/** What is deployed of a trimobe that was built from the document alone: the beginning of a plan that leads to `trimobe`. */
export const documentedTrimobe: SystemDesign = {
  ...trimobe,
  tables: { ...trimobe.tables, Users: users, RuralCreditAI: ruralCreditAI },
};

/** What that plan asks for: the header of a conversation is made from it. */
export const documentedTrimobeAnswers = {
  split: { 'RuralCreditAI.Conversation': ['ConversationHeader'] },
} as const;
