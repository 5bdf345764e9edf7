export type { SynthesizedStack } from '../cloudformation/assembly';
export { readAssembly } from '../cloudformation/assembly';
export type { TemplateJson } from '../cloudformation/tables';
export type { DynamoDbOptions } from '../engine/dynamodb';
export { dynamoDbEngine } from '../engine/dynamodb';
export { embeddedEngine } from '../engine/embedded';
export type { Engine } from '../engine/engine';
export type {
  CasesFor,
  CasesOf,
  Documented,
  DocumentedItem,
  Look,
  ProcedureCase,
  ReadCase,
  Refusal,
  Sample,
  SampleItem,
  SystemCases,
  TableCases,
  WriteCase,
} from './cases';
export { defineCases } from './cases';
export type { Proof, ProofInput } from './prove';
export { prove } from './prove';
export { proofTemplate } from './template';
