import { bank, bankCases } from '../../fixtures/bank';
import { describeMutants } from './mutation';
import { templateOf } from './notes';

describeMutants('bank', {}, { system: bank, cases: bankCases, template: templateOf(bank, 'prod'), more: 40 });
