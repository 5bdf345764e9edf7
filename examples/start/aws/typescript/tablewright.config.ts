import { defineConfig } from 'tablewright';

export default defineConfig({ designs: './design.ts', cases: './cases.ts' });
