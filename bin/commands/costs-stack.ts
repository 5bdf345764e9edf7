import type { Environment } from '../../constructs/environment';
import { awsCosts } from '../../lib/costs/aws';
import { azureCosts } from '../../lib/costs/azure';
import type { Cost } from '../../lib/costs/cost';
import type { Prices } from '../../lib/costs/prices';
import { systemOf } from '../../lib/evolve/lock/make';
import type { Design } from './designs';
import { cloudFormationOf, terraformJsonOf } from './synthesize';

/**
 * What a design costs in an environment, read from the stack that is synthesized for it. @param on the cloud.
 * @default - the design's own
 */
export async function stackOf(
  design: Design,
  environment: Environment,
  prices: Prices,
  on?: 'azure',
): Promise<readonly Cost[]> {
  const system = systemOf(design);
  return (on ?? system.cloud) === 'azure'
    ? azureCosts(await terraformJsonOf(system, environment), prices.azure)
    : awsCosts(await cloudFormationOf(system, environment), prices.aws);
}
