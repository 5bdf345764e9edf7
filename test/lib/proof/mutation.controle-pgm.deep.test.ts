import { describeMutants } from './mutation';

describeMutants('controle-pgm');
