import { check } from '../../../lib/check';
import { systems, systemsOf } from '../../../lib/systems';

/** For each system, the patterns and procedures that its owners need. */
const asked: Readonly<Record<string, string>> = {
  trimobe: `getTenant getUser usersOfTenant tenantsOfUser createUser getConversation conversationsOfTenant
    conversationsOfUser latestConversationsOfTenant conversationWithMessages messagesOfConversation messagesOfTenant
    messagesOfTenantConversation getFile filesOfTenant filesOfConversation filesOfUser getDocument documentsOfTenant
    documentsOfConversation documentsOfUser conversationArtifacts createConversation postMessage`,
  blog: `getUser userBySub usersByRole getPost postsByCategory postsByAuthor latestPosts postWithEverything
    rootCategories subcategories childrenOfCategory commentsOfPost repliesOfComment commentById commentsByAuthor
    likesOfPost hasLiked likesOfAuthor bookmarksOfUser bookmarksByDate bookmarkersOfPost notificationsOfUser
    notificationsByDate`,
  booking: `getTenant tenantsOfOwner resolveApiKey apiKeysOfTenant getService servicesOfTenant servicesByCategory
    getProvider providersOfTenant providersOfService weekOfProvider bookingsOfProvider bookingsOfCustomer
    createBooking cancelBooking getConversation updateConversation`,
  transporte: `getProfile tripsOfUser getTrip tripsByStatus tripsOfDate availableDrivers driversOfUser vehiclesOfUser
    trailersOfUser waybillsOfUser waybillByFolio waybillOfTrip waybillParts sessionsOfUser tripResources createTripWithWaybill`,
  'controle-pgm': `userById userByEmail activeUsers documentTypes getSequence nextNumber logsOfMonth logsOfPeriod logsByType
    logsByUser latestLogs`,
};

const namesIn = (system: string) => {
  const { tables = {}, procedures = {} } = systems[system] ?? {};
  return [...Object.values(tables).flatMap((table) => Object.keys(table.patterns ?? {})), ...Object.keys(procedures)];
};

test('four systems have twelve tables and thirteen indexes on DynamoDB, and one system has five tables on Azure', () => {
  const tables = systemsOf('aws').flatMap((system) => Object.values(system.tables));
  expect(Object.keys(systems)).toEqual(['trimobe', 'blog', 'booking', 'transporte', 'controle-pgm']);
  expect(tables).toHaveLength(12);
  expect(tables.flatMap((table) => Object.keys(table.indexes ?? {}))).toHaveLength(13);
  expect(systemsOf('azure').map(({ tables }) => Object.keys(tables))).toEqual([
    ['Users', 'DocumentTypes', 'Sequences', 'NumberLogs', 'UsersByEmail'],
  ]);
});

test.each(Object.entries(asked))('%s has every required pattern', (system, names) => {
  expect(namesIn(system)).toEqual(expect.arrayContaining(names.split(/\s+/)));
});

test.each(Object.keys(systems))('every name in %s is unique', (system) => {
  const names = namesIn(system);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test.each(Object.values(systems))('the check finds no errors in $name', (system) => {
  expect(check(system).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each(Object.values(systems))('every index of $name has a purpose', (system) => {
  const silent = Object.values(system.tables).flatMap((table) =>
    Object.entries(table.indexes ?? {}).filter(([, { purpose }]) => purpose === undefined),
  );
  expect(silent).toEqual([]);
});
