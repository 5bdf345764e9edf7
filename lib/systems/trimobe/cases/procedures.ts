import { ids, LATER, pedro, user } from '../examples';
import { addUser, changeEmail, type NewUser, removeUser, type UserReference } from '../procedures';
import { fillTenant } from '../procedures/fill-tenant';
import {
  fazenda,
  joao,
  joaoAtCooperativa,
  lia,
  maria,
  mariaAtCooperativa,
  mariana,
  marianaAtCooperativa,
  nina,
  shownOlder,
  shownOwner,
  shownUser,
  ze,
} from './people';

/** Repeats a call whose answer might have been lost: it gives the same, and does nothing. */
const twice = async <T>(run: () => Promise<T>) => {
  await run();
  return run();
};

export const procedureCases = {
  addUser: {
    run: async (client: Parameters<typeof addUser>[0], values: NewUser) => [
      await twice(() => addUser(client, values)),
      await twice(() => addUser(client, joaoAtCooperativa)),
    ],
    values: pedro,
    gives: [pedro, joaoAtCooperativa],
    shows: [
      shownUser({ ...fazenda, cognitoId: 'pedro' }, 'pedro'),
      shownOwner('pedro@fazenda.example', 'pedrosAddress'),
      shownUser({ tenantId: ids.cooperativa, cognitoId: 'joao' }, 'joaoAtCooperativa'),
      shownOwner('joao@fazenda.example', 'joaosAddressTwice'),
    ],
    refuses: [
      {
        why: 'the address of another, in other letters',
        values: user(ids.cooperativa, 'lia', 'Lia', 'MARIA@fazenda.example', 6),
        error: 'EmailTaken',
      },
      {
        why: 'a user who is there, with another address',
        values: user(ids.fazenda, 'maria', 'Maria', 'livre@fazenda.example', 6),
        error: 'UserExists',
      },
    ],
  },
  changeEmail: {
    run: async (client: Parameters<typeof changeEmail>[0], values: UserReference & { readonly email: string }) => {
      const to = (reference: UserReference, email: string) =>
        twice(() => changeEmail(client, { ...reference, email, updatedAt: LATER }));
      const moved = await to(values, values.email);
      // From an address that stays in use to a new one, and then the last use of it too, to the same.
      await to(marianaAtCooperativa, 'ana@cooperativa.example');
      await to(mariana, 'ana@cooperativa.example');
      await to(nina, 'nina@usina.example');
      // From an address that is another's, to one of the user's own and to a new one.
      await to(ze, 'ze@fazenda.example');
      await to(lia, 'lia@usina.example');
      // The same address in other letters is the one that there is.
      await to(joao, 'JOAO@fazenda.example');
      return moved.email;
    },
    values: { ...maria, email: 'Nova@fazenda.example' },
    gives: 'Nova@fazenda.example',
    shows: [
      shownUser(maria, 'mariaMoved'),
      shownOwner('nova@fazenda.example', 'mariasNewAddress'),
      shownOwner('maria@fazenda.example'),
      shownUser(marianaAtCooperativa, 'marianaMoved'),
      shownUser(mariana, 'marianaMovedToo'),
      shownOwner('ana@cooperativa.example', 'marianasNewAddressTwice'),
      shownOwner('ana@fazenda.example'),
      shownUser(nina, 'ninaMoved'),
      shownOwner('nina@fazenda.example', 'ninasAddressOnce'),
      shownOwner('nina@usina.example', 'ninasOtherAddressTwice'),
      shownUser(ze, 'zeMovedToOwn'),
      shownOwner('ze@fazenda.example', 'zesAddressTwice'),
      shownOwner('eu@cooperativa.example', 'mariasAddressAtCooperativa'),
      shownUser(lia, 'liaMoved'),
      shownOwner('lia@usina.example', 'liasNewAddress'),
      shownOwner('bia@fazenda.example', 'biasAddress'),
      shownUser(joao, 'joao'),
      shownOwner('joao@fazenda.example', 'joaosAddress'),
    ],
    refuses: [
      { why: 'the address of another', values: { ...maria, email: 'JOAO@fazenda.example' }, error: 'EmailTaken' },
      {
        why: 'a user who never was',
        values: { ...fazenda, cognitoId: 'ninguem', email: 'livre@fazenda.example' },
        error: 'UserNotFound',
      },
    ],
  },
  removeUser: {
    run: async (client: Parameters<typeof removeUser>[0], reference: UserReference) => {
      const gone = await removeUser(client, reference);
      const again = await removeUser(client, reference);
      await removeUser(client, marianaAtCooperativa);
      // The last of one, and one whose address had no guard.
      await removeUser(client, joao);
      await removeUser(client, { tenantId: ids.cooperativa, cognitoId: 'raul' });
      // And one whose address is another's.
      await twice(() => removeUser(client, ze));
      return [gone?.email, again];
    },
    values: maria,
    gives: ['maria@fazenda.example', undefined],
    shows: [
      { pattern: 'usersOfTenant', values: fazenda, returns: ['bia', 'mariana', 'nina'] },
      shownOwner('maria@fazenda.example'),
      shownUser(mariaAtCooperativa, 'mariaAtCooperativa'),
      shownOwner('eu@cooperativa.example', 'mariasAddressAtCooperativa'),
      shownOwner('ana@fazenda.example', 'marianasAddressOnce'),
      shownOwner('joao@fazenda.example'),
      shownUser({ tenantId: ids.cooperativa, cognitoId: 'raul' }),
      shownOwner('raul@cooperativa.example'),
    ],
  },
  fillTenant: {
    run: async (client: Parameters<typeof fillTenant>[0], values: { readonly tenantId: string }) => [
      await fillTenant(client, values),
      await fillTenant(client, values),
      await fillTenant(client, fazenda),
    ],
    values: { tenantId: ids.cooperativa },
    gives: [
      { guards: 1, moved: 0, headers: 1, duplicates: [], unread: 0 },
      { guards: 0, moved: 0, headers: 0, duplicates: [], unread: 0 },
      {
        guards: 0,
        moved: 1,
        headers: 0,
        duplicates: [
          { cognitoId: 'bia', email: 'ana@fazenda.example', owner: 'mariana', hasOlderGuard: false },
          { cognitoId: 'ze', email: 'eu@cooperativa.example', owner: 'maria', hasOlderGuard: false },
        ],
        unread: 0,
      },
    ],
    shows: [
      shownOwner('raul@cooperativa.example', 'raulsAddress'),
      shownOlder('Joao@Fazenda.example'),
      shownOwner('joao@fazenda.example', 'joaosAddress'),
      shownOlder('Maria@fazenda.example', 'olderAddressOfAnother'),
      shownOwner('ana@fazenda.example', 'marianasAddress'),
      { pattern: 'conversationHeader', values: { conversationId: ids.oldChat }, returns: ['oldChatHeader'] },
      { pattern: 'conversationHeader', values: { conversationId: ids.olderChat }, returns: [] },
    ],
  },
};
