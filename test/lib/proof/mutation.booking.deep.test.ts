import { describeMutants } from './mutation';

describeMutants('booking');
