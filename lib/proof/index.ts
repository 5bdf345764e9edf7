export type { AzureEngineOptions } from '../azure-tables/engine/azure-tables';
export { azureEngine } from '../azure-tables/engine/azure-tables';
export { azuriteEngine } from '../azure-tables/engine/azurite';
export type { AzureDatabase } from '../azure-tables/engine/database';
export type { TerraformJson } from '../azure-tables/terraform';
export { readStack, stacksIn } from '../azure-tables/terraform';
export type { Database } from '../dynamodb/engine/database';
export type { DynamoDbOptions } from '../dynamodb/engine/dynamodb';
export { dynamoDbEngine } from '../dynamodb/engine/dynamodb';
export { embeddedEngine } from '../dynamodb/engine/embedded';
export type { SynthesizedStack } from '../dynamodb/template/assembly';
export { readAssembly } from '../dynamodb/template/assembly';
export type { TemplateJson } from '../dynamodb/template/tables';
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
export { defineCases, NOW } from './cases';
export type { Proof, ProofInput } from './prove';
export { prove } from './prove';
export { proofTemplate } from './template';
