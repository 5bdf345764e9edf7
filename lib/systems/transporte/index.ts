export { transporte, transporteAppTable } from './design';
