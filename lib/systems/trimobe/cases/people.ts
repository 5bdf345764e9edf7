import { ids, user } from '../examples';
import type { UserReference } from '../procedures';

/* Who the cases of users are about, and what is looked at after them. */

export const fazenda = { tenantId: ids.fazenda };
export const maria = { ...fazenda, cognitoId: 'maria' };
export const mariaAtCooperativa = { tenantId: ids.cooperativa, cognitoId: 'maria' };
export const mariana = { ...fazenda, cognitoId: 'mariana' };
export const marianaAtCooperativa = { tenantId: ids.cooperativa, cognitoId: 'mariana' };
export const nina = { ...fazenda, cognitoId: 'nina' };
export const joao = { ...fazenda, cognitoId: 'joao' };
export const ze = { ...fazenda, cognitoId: 'ze', email: 'eu@cooperativa.example' };
export const lia = { tenantId: ids.usina, cognitoId: 'lia' };
export const joaoAtCooperativa = user(ids.cooperativa, 'joao', 'João', 'joao@FAZENDA.example', 5);

export const shownUser = (values: UserReference, ...returns: readonly string[]) => ({
  pattern: 'getUser',
  values,
  returns,
});
export const shownOwner = (email: string, ...returns: readonly string[]) => ({
  ...{ pattern: 'emailOwner', values: { email }, returns },
});
export const shownOlder = (address: string, ...returns: readonly string[]) => ({
  ...{ pattern: 'olderEmail', values: { address }, returns },
});
