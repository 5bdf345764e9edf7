// Each of these files is loaded when one of its exports is first used (build/lazy.mjs). Each system's own entry point,
// such as tablewright/systems/booking, exports its procedures.
export { blog } from './blog/design';
export { booking } from './booking/design';
export { controlePgm } from './controle-pgm/design';
export { documented } from './documented';
export { systems, systemsOf } from './systems';
export { transporte } from './transporte/design';
export { trimobe } from './trimobe/design';
