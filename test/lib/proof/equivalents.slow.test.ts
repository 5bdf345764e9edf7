import { describeOnAzure } from './on-azure';

describeOnAzure('booking');
