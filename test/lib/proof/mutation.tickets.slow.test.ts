import { ALONE, describeMutants } from './mutation';
import { templateOf } from './notes';
import { tickets, ticketsCases } from './tickets';

const PREFIXES = {
  urgent: 'TICKET#',
  begun: 'TICKET#',
  ticketsBeginning: 'TICKET#<start?>',
  changes: 'CHANGE#',
  eventsOfDay: 'EVENT#',
};

describeMutants(
  'tickets',
  Object.fromEntries(
    Object.entries(PREFIXES).map(([name, prefix]) => [
      `tickets.patterns.${name}.where.SK: {'beginsWith':'${prefix}'} → none`,
      ALONE,
    ]),
  ),
  { system: tickets, cases: ticketsCases, template: templateOf(tickets, 'prod'), more: 250 },
);
