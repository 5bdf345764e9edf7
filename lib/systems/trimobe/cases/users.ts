import { ids, LATER, pedro, tenants, user, users, usersWritten } from '../examples';
import { stored } from '../stored';
import {
  fazenda,
  joao,
  joaoAtCooperativa,
  maria,
  mariaAtCooperativa,
  mariana,
  nina,
  shownOlder,
  shownOwner,
  shownUser,
  ze,
} from './people';

const CANCELLED = 'TransactionCanceledException';
const REFUSED = 'ConditionalCheckFailedException';
const newTenant = { ...(tenants.fazenda as readonly ['Tenant', object])[1], id: ids.nowhere };
const never = { tenantId: ids.harvest };

export const tenantsCases = {
  items: tenants,
  documented: {},
  written: {
    created: ['Tenant', newTenant],
    changed: [
      'Tenant',
      { ...newTenant, id: ids.fazenda, name: 'Boa Vista', settings: { plan: 'FREE' }, updatedAt: LATER },
    ],
    suspended: ['Tenant', { ...newTenant, id: ids.fazenda, status: 'SUSPENDED', updatedAt: LATER }],
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
      values: { ...fazenda, name: 'Boa Vista', settings: { plan: 'FREE' }, updatedAt: LATER },
      shows: [{ pattern: 'getTenant', values: fazenda, returns: ['changed'] }],
      refuses: [{ why: 'a tenant that never was', values: { ...never, name: 'x', updatedAt: LATER }, error: REFUSED }],
    },
    setTenantStatus: {
      values: { ...fazenda, status: 'SUSPENDED', updatedAt: LATER },
      shows: [{ pattern: 'getTenant', values: fazenda, returns: ['suspended'] }],
      refuses: [
        { why: 'a tenant that never was', values: { ...never, status: 'ACTIVE', updatedAt: LATER }, error: REFUSED },
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

const ofFazenda = ['bia', 'joao', 'maria', 'mariana', 'nina', 'ze'];
const bia = { ...fazenda, cognitoId: 'bia', email: 'ana@fazenda.example' };
const ninaAtCooperativa = { tenantId: ids.cooperativa, cognitoId: 'nina' };
const marianaAtUsina = { tenantId: ids.usina, cognitoId: 'mariana' };
const toAna = { updatedAt: LATER, to: 'ana@fazenda.example' };
const toJoao = { updatedAt: LATER, to: 'joao@fazenda.example' };
const toUsina = { updatedAt: LATER, to: 'nina@usina.example' };
const moving = { updatedAt: LATER, to: 'livre@fazenda.example' };

const raul = { tenantId: ids.cooperativa, cognitoId: 'raul', email: 'raul@cooperativa.example' };
const joaosOwn = { email: 'joao@fazenda.example', cognitoId: 'joao' };
const mariasOwn = { email: 'maria@fazenda.example', cognitoId: 'maria' };

const refused = (why: string, values: object) => ({ why, values, error: CANCELLED });

export const usersCases = {
  items: users,
  documented: {},
  written: usersWritten,
  stored: stored.Users,
  patterns: {
    getUser: { values: maria, returns: ['maria'] },
    usersOfTenant: { values: fazenda, returns: ofFazenda },
    tenantsOfUser: { values: { cognitoId: 'maria' }, returns: ['maria', 'mariaAtCooperativa'] },
    // However it is written.
    emailOwner: { values: { email: 'Ana@FAZENDA.example' }, returns: ['marianasAddress'] },

    olderEmail: { values: { address: 'Joao@Fazenda.example' }, returns: ['joaosOlderAddress'] },

    createUser: {
      values: { user: pedro },
      shows: [
        shownUser({ ...fazenda, cognitoId: 'pedro' }, 'pedro'),
        shownOwner('Pedro@fazenda.example', 'pedrosAddress'),
        { pattern: 'usersOfTenant', values: fazenda, returns: ofFazenda.toSpliced(5, 0, 'pedro') },
        { pattern: 'tenantsOfUser', values: { cognitoId: 'pedro' }, returns: ['pedro'] },
        { pattern: 'tenantsOfUser', values: { cognitoId: 'maria' }, returns: ['maria', 'mariaAtCooperativa'] },
      ],
      refuses: [
        refused('an address that is used in the same tenant', {
          user: user(ids.fazenda, 'pedrina', 'Pedrina', 'Maria@fazenda.example', 6),
        }),
        refused('an address that is used in another tenant', {
          user: user(ids.cooperativa, 'joao', 'João', 'joao@fazenda.example', 6),
        }),
        refused('a user who is there, under another address', {
          user: user(ids.fazenda, 'maria', 'Maria', 'nova@fazenda.example', 6),
        }),
      ],
    },
    joinTenant: {
      values: { user: joaoAtCooperativa },
      shows: [
        shownUser({ tenantId: ids.cooperativa, cognitoId: 'joao' }, 'joaoAtCooperativa'),
        shownOwner('joao@fazenda.example', 'joaosAddressTwice'),
        { pattern: 'tenantsOfUser', values: { cognitoId: 'joao' }, returns: ['joao', 'joaoAtCooperativa'] },
        shownOwner('maria@fazenda.example', 'mariasAddress'),
      ],
      refuses: [
        refused('the address of another Cognito user', {
          user: user(ids.cooperativa, 'pedro', 'Pedro', 'maria@fazenda.example', 6),
        }),
        refused('an address that nobody has', {
          user: user(ids.cooperativa, 'pedro', 'Pedro', 'livre@fazenda.example', 6),
        }),
        refused('a tenant that the user is in', { user: joaoAtCooperativa }),
      ],
    },
    updateUser: {
      values: { ...maria, name: 'Maria Souza', role: 'ADMIN', status: 'SUSPENDED', updatedAt: LATER },
      shows: [shownUser(maria, 'mariaPromoted'), shownUser(mariaAtCooperativa, 'mariaAtCooperativa')],
      refuses: [
        {
          why: 'a user who never was',
          values: { ...fazenda, cognitoId: 'ninguem', name: 'x', updatedAt: LATER },
          error: REFUSED,
        },
      ],
    },
    leaveTenant: {
      values: { ...ninaAtCooperativa, email: 'nina@fazenda.example' },
      shows: [
        shownUser(ninaAtCooperativa),
        shownUser(nina, 'nina'),
        shownOwner('nina@fazenda.example', 'ninasAddressOnce'),
        shownOwner('ana@fazenda.example', 'marianasAddress'),
      ],
      refuses: [
        refused('the last use of an address', { ...joao, email: 'Joao@Fazenda.example' }),
        refused('an address that is guarded for another', bia),
        refused('a user with another address', { ...marianaAtUsina, email: 'ana@fazenda.example' }),
      ],
    },
    leaveLastTenant: {
      values: { ...maria, email: 'maria@fazenda.example' },
      shows: [
        shownUser(maria),
        shownOwner('maria@fazenda.example'),
        shownUser(mariaAtCooperativa, 'mariaAtCooperativa'),
        shownOwner('eu@cooperativa.example', 'mariasAddressAtCooperativa'),
        shownOwner('ana@fazenda.example', 'marianasAddress'),
      ],
      refuses: [
        refused('an address that is still in use', { ...mariana, email: 'ana@fazenda.example' }),
        refused('the address of another Cognito user', ze),
        refused('a user with another address', { ...joao, email: 'joao@fazenda.example' }),
      ],
    },
    leaveOthersEmail: {
      values: ze,
      shows: [
        shownUser(ze),
        shownOwner('eu@cooperativa.example', 'mariasAddressAtCooperativa'),
        shownUser(bia, 'bia'),
        shownUser(maria, 'maria'),
      ],
      refuses: [
        refused('a user with an address of its own', { ...maria, email: 'maria@fazenda.example' }),
        refused('a user whose address has no guard', raul),
        refused('a user with another address', { ...bia, email: 'eu@cooperativa.example' }),
      ],
    },
    moveEmail: {
      values: { ...maria, ...moving, email: 'maria@fazenda.example', to: 'Nova@fazenda.example' },
      shows: [
        shownUser(maria, 'mariaMoved'),
        shownOwner('nova@fazenda.example', 'mariasNewAddress'),
        shownOwner('maria@fazenda.example'),
        shownOwner('livre@fazenda.example'),
      ],
      refuses: [
        refused('the address of another', {
          ...joao,
          ...moving,
          email: 'Joao@Fazenda.example',
          to: 'nova@fazenda.example',
        }),
        refused('an address that is still in use', { ...mariana, ...moving, email: 'ana@fazenda.example' }),
        refused('an address that is guarded for another', { ...ze, ...moving }),
        refused('a user with another address', { ...joao, ...moving, email: 'joao@fazenda.example' }),
      ],
    },
    moveEmailToOwn: {
      values: {
        ...mariaAtCooperativa,
        ...{ email: 'eu@cooperativa.example', to: 'maria@fazenda.example', updatedAt: LATER },
      },
      shows: [
        shownUser(mariaAtCooperativa, 'mariaOfOneAddress'),
        shownOwner('maria@fazenda.example', 'mariasAddressTwice'),
        shownOwner('eu@cooperativa.example'),
        shownOwner('joao@fazenda.example', 'joaosAddress'),
      ],
      refuses: [
        refused('the address of another', { ...joao, ...toAna, email: 'Joao@Fazenda.example' }),
        refused('an address that nobody has', { ...joao, ...moving, email: 'Joao@Fazenda.example' }),
        refused('an address that is still in use', { ...nina, ...toUsina, email: 'nina@fazenda.example' }),
        refused('an address that is guarded for another', {
          ...{
            tenantId: ids.usina,
            cognitoId: 'lia',
            email: 'bia@fazenda.example',
            to: 'lia@fazenda.example',
            updatedAt: LATER,
          },
        }),
        refused('a user with another address', {
          ...{ ...ninaAtCooperativa, email: 'nina@usina.example', to: 'nina@fazenda.example', updatedAt: LATER },
        }),
      ],
    },
    moveSharedEmail: {
      values: {
        ...ninaAtCooperativa,
        ...{ email: 'nina@fazenda.example', to: 'nina@cooperativa.example', updatedAt: LATER },
      },
      shows: [
        shownUser(ninaAtCooperativa, 'ninaMovedAtCooperativa'),
        shownOwner('nina@cooperativa.example', 'ninasNewAddress'),
        shownOwner('nina@fazenda.example', 'ninasAddressOnce'),
        shownOwner('ana@fazenda.example', 'marianasAddress'),
      ],
      refuses: [
        refused('the last use of an address', { ...joao, ...moving, email: 'Joao@Fazenda.example' }),
        refused('the address of another', { ...mariana, ...toJoao, email: 'ana@fazenda.example' }),
        refused('an address that is guarded for another', { ...bia, ...moving }),
        refused('a user with another address', { ...marianaAtUsina, ...moving, email: 'ana@fazenda.example' }),
      ],
    },
    moveSharedEmailToOwn: {
      values: { ...nina, ...toUsina, email: 'nina@fazenda.example' },
      shows: [
        shownUser(nina, 'ninaMoved'),
        shownOwner('nina@fazenda.example', 'ninasAddressOnce'),
        shownOwner('nina@usina.example', 'ninasOtherAddressTwice'),
        shownOwner('ana@fazenda.example', 'marianasAddress'),
      ],
      refuses: [
        refused('the last use of an address', {
          ...{ ...mariaAtCooperativa, ...moving, email: 'eu@cooperativa.example', to: 'maria@fazenda.example' },
        }),
        refused('the address of another', { ...mariana, ...toJoao, email: 'ana@fazenda.example' }),
        refused('an address that nobody has', { ...mariana, ...moving, email: 'ana@fazenda.example' }),
        refused('an address that is guarded for another', { ...bia, ...moving, to: 'bia@fazenda.example' }),
        refused('a user with another address', {
          ...{ ...marianaAtUsina, ...moving, email: 'ana@fazenda.example', to: 'ana@usina.example' },
        }),
      ],
    },
    moveOthersEmail: {
      values: { ...ze, to: 'ze@cooperativa.example', updatedAt: LATER },
      shows: [
        shownUser(ze, 'zeMoved'),
        shownOwner('ze@cooperativa.example', 'zesNewAddress'),
        shownOwner('eu@cooperativa.example', 'mariasAddressAtCooperativa'),
        shownOwner('livre@fazenda.example'),
      ],
      refuses: [
        refused('the address of another', { ...bia, ...toJoao }),
        refused('a user with an address of its own', { ...joao, ...moving, email: 'Joao@Fazenda.example' }),
        refused('a user whose address has no guard', { ...raul, ...moving }),
        refused('a user with another address', { ...bia, ...moving, email: 'eu@cooperativa.example' }),
      ],
    },
    moveOthersEmailToOwn: {
      values: { ...bia, to: 'bia@fazenda.example', updatedAt: LATER },
      shows: [
        shownUser(bia, 'biaMoved'),
        shownOwner('bia@fazenda.example', 'biasAddressTwice'),
        shownOwner('ana@fazenda.example', 'marianasAddress'),
        shownOwner('ze@fazenda.example', 'zesAddress'),
      ],
      refuses: [
        refused('the address of another', { ...ze, ...toJoao }),
        refused('an address that nobody has', { ...ze, ...moving }),
        refused('a user with an address of its own', {
          ...{ ...mariaAtCooperativa, ...moving, email: 'eu@cooperativa.example', to: 'maria@fazenda.example' },
        }),
        refused('a user with another address', {
          ...{ ...ze, ...moving, email: 'ana@fazenda.example', to: 'ze@fazenda.example' },
        }),
        refused('a user whose address has no guard', { ...raul, ...moving, to: 'raul@usina.example' }),
      ],
    },
    claimEmail: {
      values: { email: 'Antiga@fazenda.example', cognitoId: 'joao', memberships: 3 },
      shows: [shownOwner('antiga@fazenda.example', 'claimed')],
      refuses: [
        {
          why: 'an address that has a guard',
          values: { email: 'ANTIGA@fazenda.example', cognitoId: 'maria', memberships: 1 },
          error: REFUSED,
        },
        {
          why: 'an address that has a guard of the same user',
          values: { email: 'antiga@fazenda.example', cognitoId: 'joao', memberships: 1 },
          error: REFUSED,
        },
      ],
    },
    retireEmail: {
      values: { address: 'Joao@Fazenda.example', email: 'Joao@Fazenda.example', cognitoId: 'joao' },
      shows: [
        shownOlder('Joao@Fazenda.example'),
        shownOwner('joao@fazenda.example', 'joaosAddress'),
        // One that does not say whose it is.
        { pattern: 'retireEmail', values: { ...joaosOwn, address: 'JOAO@fazenda.example' }, returns: [] },
        shownOlder('JOAO@fazenda.example'),
        shownOlder('Maria@fazenda.example', 'olderAddressOfAnother'),
      ],
      refuses: [
        refused('that of another', { ...mariasOwn, address: 'Maria@fazenda.example' }),
        refused('one whose address in lower case has no guard', {
          ...{ address: 'Maria@fazenda.example', email: 'livre@fazenda.example', cognitoId: 'lia' },
        }),
        refused('one whose address in lower case is of another', {
          ...{ address: 'Maria@fazenda.example', email: 'maria@fazenda.example', cognitoId: 'lia' },
        }),
      ],
    },
  },
} as const;
