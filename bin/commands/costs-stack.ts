import type { Environment } from '../../constructs/environment';
import { awsCosts } from '../../lib/costs/aws';
import { azureCosts } from '../../lib/costs/azure';
import type { Cost } from '../../lib/costs/cost';
import type { Prices } from '../../lib/costs/prices';
import { systemOf } from '../../lib/evolve/lock/make';
import type { Design } from './designs';
import { cloudFormationOf, terraformJsonOf } from './synthesize';

/**
 * Synthesizes a design's stack for an environment, and returns the stack's costs.
 * @param on the cloud to compute the costs for.
 * @default - the design's cloud
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
