export { CursorError } from '../items/cursor';
export { ItemError } from '../items/item';
export type { Item } from '../items/plan';
export type { Client, ClientOptions, Observation, Send } from './client';
export { client } from './client';
export type * from './inputs';
export type { ReadOptions } from './read';
export type { CommandName, Page, PatternRequest, PatternResult, Requests } from './requests';
export { requests } from './requests';
