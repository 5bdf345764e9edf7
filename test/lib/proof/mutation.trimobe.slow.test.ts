import { ALONE, describeMutants } from './mutation';

const OLDER =
  'only a guard of the time before can tell, and no case has one: it is not as designed; trimobe-fill shows it';

const LOWER =
  'the schema writes it in lower case anyway; only whoever asks of an item alone what it is can tell, and trimobe.test does';

describeMutants('trimobe', {
  "Users.entities.UserEmail.keys.PK: 'EMAIL#<email:lower>' → 'EMAIL#<email>'": LOWER,
  "Users.entities.UserEmail.keys.SK: 'EMAIL#<email:lower>' → 'EMAIL#<email>'": LOWER,
  "Users.patterns.usersOfTenant.where.SK: {'beginsWith':'USER#'} → none": ALONE,
  "Users.patterns.tenantsOfUser.where.GSI1SK: {'beginsWith':'TENANT#'} → none": ALONE,
  "Users.patterns.claimEmail.condition: {'memberships':{'exists':false},'any':[{'cognitoId':{'exists':false}},{'cognitoId':'<cognitoId>'}]} → {'memberships':{'exists':false}}":
    OLDER,
  "Users.patterns.claimEmail.condition.any: [{'cognitoId':{'exists':false}},{'cognitoId':'<cognitoId>'}] → [{'cognitoId':{'exists':false}}]":
    OLDER,
  "Users.patterns.claimEmail.condition.any.1: {'cognitoId':'<cognitoId>'} → none": OLDER,
  'Users.patterns.claimEmail.replace: true → false': OLDER,
  "RuralCreditAI.patterns.conversationsOfUser.where.GSI1SK: {'beginsWith':'CONVERSATION#'} → none": ALONE,
  "RuralCreditAI.patterns.messagesOfTenant.where.GSI1SK: {'beginsWith':'CONVERSATION#'} → none": ALONE,
});
