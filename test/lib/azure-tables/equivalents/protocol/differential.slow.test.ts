import { describeDifferential } from './differential';

describeDifferential(300, 7);
