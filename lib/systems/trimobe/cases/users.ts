import { documentedUsers, ids, LATER, pedro, tenants, user, users, usersWritten } from '../examples';
import { stored } from '../stored';

const CANCELLED = 'TransactionCanceledException';
const REFUSED = 'ConditionalCheckFailedException';
const newTenant = { ...(tenants.fazenda as readonly ['Tenant', object])[1], id: ids.nowhere };
const fazenda = { tenantId: ids.fazenda };
const never = { tenantId: ids.harvest };

export const tenantsCases = {
  items: tenants,
  documented: {},
  written: {
    created: ['Tenant', newTenant],
    changed: [
      'Tenant',
      {
        ...{ ...newTenant, id: ids.fazenda, name: 'Boa Vista', status: 'SUSPENDED' },
        ...{ settings: { plan: 'FREE' }, updatedAt: LATER },
      },
    ],
  },
  stored: stored.Tenants,
  patterns: {
    getTenant: { values: fazenda, returns: ['fazenda'] },
    createTenant: {
      values: newTenant,
      shows: [
        { pattern: 'getTenant', values: { tenantId: ids.nowhere }, returns: ['created'] },
        { pattern: 'getTenant', values: fazenda, returns: ['fazenda'] },
      ],
      refuses: [{ why: 'an id that is taken', values: { ...newTenant, id: ids.fazenda, name: 'x' }, error: REFUSED }],
    },
    updateTenant: {
      values: { ...fazenda, name: 'Boa Vista', status: 'SUSPENDED', settings: { plan: 'FREE' }, updatedAt: LATER },
      shows: [{ pattern: 'getTenant', values: fazenda, returns: ['changed'] }],
      refuses: [
        { why: 'a tenant that does not exist', values: { ...never, name: 'x', updatedAt: LATER }, error: REFUSED },
      ],
    },
    deleteTenant: {
      values: fazenda,
      shows: [
        { pattern: 'getTenant', values: fazenda, returns: [] },
        { pattern: 'getTenant', values: { tenantId: ids.cooperativa }, returns: ['cooperativa'] },
      ],
    },
  },
} as const;

const maria = { ...fazenda, cognitoId: 'maria' };
const mariaAtCooperativa = { tenantId: ids.cooperativa, cognitoId: 'maria' };
const joaoAtCooperativa = user(ids.cooperativa, 'joao', 'João', 'joao@FAZENDA.example', 5);
const moving = { ...maria, formerEmail: 'maria@fazenda.example', updatedAt: LATER };
/** Pedro with another user's address. */
const pedroWith = (email: string) => ({ ...pedro, email });

const shownUser = (values: object, ...returns: readonly string[]) => ({ pattern: 'getUser', values, returns });
/** No read returns a guard, so this checks that another user cannot take the address. */
const taken = (email: string) => ({
  ...{ pattern: 'createUser', values: pedroWith(email), returns: [], error: CANCELLED },
});
const refused = (why: string, values: object) => ({ why, values, error: CANCELLED });

export const usersCases = {
  items: users,
  documented: documentedUsers,
  written: usersWritten,
  stored: stored.Users,
  patterns: {
    getUser: { values: maria, returns: ['maria'] },
    usersOfTenant: { values: fazenda, returns: ['joao', 'maria', 'mariana'] },
    tenantsOfUser: { values: { cognitoId: 'maria' }, returns: ['maria', 'mariaAtCooperativa'] },

    createUser: {
      values: pedro,
      shows: [
        shownUser({ ...fazenda, cognitoId: 'pedro' }, 'pedro'),
        { pattern: 'usersOfTenant', values: fazenda, returns: ['joao', 'maria', 'mariana', 'pedro'] },
        { pattern: 'tenantsOfUser', values: { cognitoId: 'pedro' }, returns: ['pedro'] },
      ],
      refuses: [
        refused(
          'an address already used by another user of the tenant',
          user(ids.fazenda, 'pedrina', 'Pedrina', 'Maria@fazenda.example', 6),
        ),
        refused(
          'an address already used by a user of another tenant',
          user(ids.cooperativa, 'pedrina', 'Pedrina', 'pedro@FAZENDA.example', 6),
        ),
        refused(
          'an existing user with a different address',
          user(ids.fazenda, 'maria', 'Maria', 'nova@fazenda.example', 6),
        ),
      ],
    },
    updateUser: {
      values: { ...maria, name: 'Maria Souza', role: 'ADMIN', status: 'SUSPENDED', updatedAt: LATER },
      shows: [shownUser(maria, 'mariaPromoted'), shownUser(mariaAtCooperativa, 'mariaAtCooperativa')],
      refuses: [
        {
          why: 'a user who does not exist',
          values: { ...fazenda, cognitoId: 'ninguem', name: 'x', updatedAt: LATER },
          error: REFUSED,
        },
      ],
    },
    changeEmail: {
      values: { ...moving, email: 'Nova@fazenda.example' },
      shows: [
        shownUser(maria, 'mariaMoved'),
        taken('nova@FAZENDA.example'),
        // The former address stays reserved for Maria.
        taken('maria@fazenda.example'),
        shownUser({ ...maria, cognitoId: 'ninguem' }),
      ],
      refuses: [
        refused('an address already used by another user', {
          ...{ ...moving, formerEmail: 'Nova@fazenda.example', email: 'joao@fazenda.example' },
        }),
        refused('a wrong former address', { ...moving, email: 'outra@fazenda.example' }),
        refused('a user who never existed', { ...moving, cognitoId: 'ninguem', email: 'outra@fazenda.example' }),
      ],
    },
    removeUser: {
      values: mariaAtCooperativa,
      shows: [
        shownUser(mariaAtCooperativa),
        shownUser(maria, 'maria'),
        taken('eu@cooperativa.example'),
        // João joins a second tenant with the same address.
        { pattern: 'createUser', values: joaoAtCooperativa, returns: [] },
        shownUser({ tenantId: ids.cooperativa, cognitoId: 'joao' }, 'joaoAtCooperativa'),
      ],
    },
    releaseEmail: {
      values: { email: 'Maria@fazenda.example', cognitoId: 'maria' },
      shows: [
        // The pattern does not release another user's address.
        { pattern: 'releaseEmail', values: { email: 'ana@fazenda.example', cognitoId: 'joao' }, returns: [] },
        taken('ana@fazenda.example'),
        { pattern: 'createUser', values: pedroWith('maria@fazenda.example'), returns: [] },
      ],
    },
  },
} as const;
