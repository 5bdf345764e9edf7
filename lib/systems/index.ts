// Each of these files is loaded on the first use of one of its exports (build/lazy.mjs). The procedures of a system are exports of the system's own
// entry, such as tablewright/systems/booking.
export { blog } from './blog/design';
export { booking } from './booking/design';
export { controlePgm } from './controle-pgm/design';
export { documented } from './documented';
export { systems, systemsOf } from './systems';
export { transporte } from './transporte/design';
export { trimobe } from './trimobe/design';
