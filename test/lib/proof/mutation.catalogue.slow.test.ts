import { catalogue, catalogueCases } from '../../fixtures/catalogue';
import { describeMutants } from './mutation';
import { templateOf } from './notes';

describeMutants(
  'catalogue',
  {},
  { system: catalogue, cases: catalogueCases, template: templateOf(catalogue, 'prod'), more: 60 },
);
