import { describeOnAzure } from './on-azure';

describeOnAzure('trimobe', 'blog', 'transporte');
