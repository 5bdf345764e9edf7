import { shop, shopEquivalents } from './market';
import { describeMutants } from './mutation';

describeMutants('market', shopEquivalents, shop);
