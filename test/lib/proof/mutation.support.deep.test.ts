import { describeMutants } from './mutation';
import { supportDesk, supportEquivalents } from './support';

describeMutants('support', supportEquivalents, supportDesk);
