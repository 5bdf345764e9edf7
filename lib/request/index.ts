export type { Client, ClientOptions, Observation, Send } from './client';
export { client } from './client';
export { CursorError } from './cursor';
export type * from './inputs';
export { ItemError } from './item';
export type { Item } from './plan';
export type { ReadOptions } from './read';
export type { CommandName, Page, PatternRequest, PatternResult, Requests } from './requests';
export { requests } from './requests';
