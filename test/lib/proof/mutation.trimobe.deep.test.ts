import { ALONE, describeMutants } from './mutation';

describeMutants('trimobe', {
  "Users.patterns.usersOfTenant.where.SK: {'beginsWith':'USER#'} → none": ALONE,
  "Users.patterns.tenantsOfUser.where.GSI1SK: {'beginsWith':'TENANT#'} → none": ALONE,
  "RuralCreditAI.patterns.conversationsOfUser.where.GSI1SK: {'beginsWith':'CONVERSATION#'} → none": ALONE,
  "RuralCreditAI.patterns.messagesOfTenant.where.GSI1SK: {'beginsWith':'CONVERSATION#'} → none": ALONE,
});
