import { support } from '../../fixtures/sound/support';
import { supportCases } from '../../fixtures/sound/support-cases';
import { ALONE, type Equivalents, type Subject } from './mutation';
import { templateOf } from './notes';

/** A support desk with 16 entities and 69 patterns in one table. */
export const supportDesk: Subject = {
  ...{ system: support, cases: supportCases, template: templateOf(support, 'prod') },
  more: 400,
};

export const supportEquivalents: Equivalents = {
  "support.patterns.membersOfTeam.where.SK: {'beginsWith':'MEMBER#'} → none": ALONE,
};
