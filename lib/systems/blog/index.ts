export { blog, blogTable } from './design';
