import { acknowledgement } from '../findings/acknowledgement';
import type { Rule, TableRule } from '../findings/finding';
import { malformedDesign } from '../language/malformed';
import { ambiguousKey } from './ambiguous-key';
import { azureKeys } from './azure-keys';
import { azureTables } from './azure-tables';
import { azureTypes } from './azure-types';
import { cloudOperation } from './cloud-operation';
import { constantKey } from './constant-key';
import { duplicateName } from './duplicate-name';
import { dynamodbTypes } from './dynamodb-types';
import { filteredRead } from './filtered-read';
import { halfKey } from './half-key';
import { hotPartition } from './hot-partition';
import { impossibleValue } from './impossible-value';
import { impreciseTime } from './imprecise-time';
import { incompleteKey } from './incomplete-key';
import { indexMembership } from './index-membership';
import { keyCollision } from './key-collision';
import { likelyOversight } from './likely-oversight';
import { limits } from './limits';
import { localIndex } from './local-index';
import { misreadRange } from './misread-range';
import { mistakenPart } from './mistaken-part';
import { nestedProjection } from './nested-projection';
import { notColocated } from './not-colocated';
import { orderUnserved } from './order-unserved';
import { partitionIncomplete } from './partition-incomplete';
import { patternPollution } from './pattern-pollution';
import { patternUnserved } from './pattern-unserved';
import { redundantIndex } from './redundant-index';
import { refusedRequest } from './refused-request';
import { shardedKey } from './sharded-key';
import { swappedPart } from './swapped-part';
import { templateLiteral } from './template-literal';
import { templateSyntax } from './template-syntax';
import { tenantLeak } from './tenant-leak';
import { tenantUnscoped } from './tenant-unscoped';
import { truncatedOrder } from './truncated-order';
import { unacceptableItem } from './unacceptable-item';
import { unboundedItem } from './unbounded-item';
import { undecided } from './undecided';
import { unkeyable } from './unkeyable';
import { unknownName } from './unknown-name';
import { unorderedTime } from './unordered-time';
import { unpaddedBound } from './unpadded-bound';
import { unpaddedNumber } from './unpadded-number';
import { unprojected } from './unprojected';
import { unservedEntity } from './unserved-entity';
import { unsortedText } from './unsorted-text';
import { unsoundStored } from './unsound-stored';
import { unsoundUnion } from './unsound-union';
import { unsoundUnique } from './unsound-unique';
import { unsoundWritten } from './unsound-written';
import { unstorable } from './unstorable';
import { unusableSchema } from './unusable-schema';
import { unusedIndex } from './unused-index';
import { unwritable } from './unwritable';
import { wholeScan } from './whole-scan';

/** The rules for tables, in the order in which their findings are reported. */
const ofTables = [
  limits,
  templateSyntax,
  templateLiteral,
  unknownName,
  duplicateName,
  unkeyable,
  incompleteKey,
  indexMembership,
  localIndex,
  unstorable,
  unusableSchema,
  dynamodbTypes,
  ambiguousKey,
  keyCollision,
  constantKey,
  partitionIncomplete,
  shardedKey,
  patternUnserved,
  mistakenPart,
  swappedPart,
  notColocated,
  patternPollution,
  orderUnserved,
  truncatedOrder,
  unwritable,
  halfKey,
  unacceptableItem,
  unsoundUnion,
  unsoundUnique,
  unsoundStored,
  unsoundWritten,
  impossibleValue,
  refusedRequest,
  nestedProjection,
  unprojected,
  unpaddedNumber,
  unpaddedBound,
  unorderedTime,
  impreciseTime,
  unsortedText,
  misreadRange,
  unusedIndex,
  redundantIndex,
  hotPartition,
  tenantUnscoped,
  tenantLeak,
  filteredRead,
  wholeScan,
  azureTables,
  cloudOperation,
  azureKeys,
  azureTypes,
  unboundedItem,
  unservedEntity,
  likelyOversight,
] as const;

/** The rules for tables, except `undecided`, which runs last because it reports what the other rules left open. */
export const tableRules: readonly TableRule[] = ofTables;

/**
 * All rules, including the rules that check the shape of a design and its acknowledgements. A function call builds the
 * list, so that bundlers can drop the list if it is unused.
 */
export const rules: readonly Rule[] = /* @__PURE__ */ (() => [
  malformedDesign,
  ...ofTables,
  undecided,
  acknowledgement,
])();

type AnyRule = (typeof ofTables)[number] | typeof undecided | typeof malformedDesign | typeof acknowledgement;

/** The causes of each rule, keyed by rule id. */
export type CausesByRule = { readonly [R in AnyRule as R['id']]: keyof R['causes'] };
