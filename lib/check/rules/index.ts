import type { Rule } from '../finding';
import { ambiguousKey } from './ambiguous-key';
import { azureKeys } from './azure-keys';
import { azurePortability } from './azure-portability';
import { azureTypes } from './azure-types';
import { cloudOperation } from './cloud-operation';
import { constantKey } from './constant-key';
import { duplicateName } from './duplicate-name';
import { filteredRead } from './filtered-read';
import { halfKey } from './half-key';
import { hotPartition } from './hot-partition';
import { impossibleValue } from './impossible-value';
import { impreciseTime } from './imprecise-time';
import { incompleteKey } from './incomplete-key';
import { keyCollision } from './key-collision';
import { limits } from './limits';
import { mistakenPart } from './mistaken-part';
import { nestedProjection } from './nested-projection';
import { notColocated } from './not-colocated';
import { orderUnserved } from './order-unserved';
import { partitionIncomplete } from './partition-incomplete';
import { patternPollution } from './pattern-pollution';
import { patternUnserved } from './pattern-unserved';
import { redundantIndex } from './redundant-index';
import { refusedRequest } from './refused-request';
import { templateLiteral } from './template-literal';
import { templateSyntax } from './template-syntax';
import { tenantLeak } from './tenant-leak';
import { tenantUnscoped } from './tenant-unscoped';
import { truncatedOrder } from './truncated-order';
import { unkeyable } from './unkeyable';
import { unknownName } from './unknown-name';
import { unorderedTime } from './unordered-time';
import { unpaddedBound } from './unpadded-bound';
import { unpaddedNumber } from './unpadded-number';
import { unprojected } from './unprojected';
import { unstorable } from './unstorable';
import { unusedIndex } from './unused-index';
import { unwritable } from './unwritable';

/** Every rule, in the order its findings are shown. */
export const rules: readonly Rule[] = [
  limits,
  templateSyntax,
  templateLiteral,
  unknownName,
  duplicateName,
  unkeyable,
  incompleteKey,
  unstorable,
  ambiguousKey,
  keyCollision,
  constantKey,
  partitionIncomplete,
  patternUnserved,
  mistakenPart,
  notColocated,
  patternPollution,
  orderUnserved,
  truncatedOrder,
  unwritable,
  halfKey,
  impossibleValue,
  refusedRequest,
  nestedProjection,
  unprojected,
  unpaddedNumber,
  unpaddedBound,
  unorderedTime,
  impreciseTime,
  unusedIndex,
  redundantIndex,
  hotPartition,
  tenantUnscoped,
  tenantLeak,
  filteredRead,
  azurePortability,
  cloudOperation,
  azureKeys,
  azureTypes,
];
