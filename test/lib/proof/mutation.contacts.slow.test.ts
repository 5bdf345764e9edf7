import { contacts, contactsCases } from '../../fixtures/contacts';
import { describeMutants } from './mutation';
import { templateOf } from './notes';

const CREATES =
  'without the version that was read, a put of a versioned item can only create it, with or without replace';

describeMutants(
  'contacts',
  { 'contacts.patterns.add.replace: none → true': CREATES },
  { system: contacts, cases: contactsCases, template: templateOf(contacts, 'prod'), more: 60 },
);
