import { describeDifferential } from './differential';

describeDifferential(200, 7);
