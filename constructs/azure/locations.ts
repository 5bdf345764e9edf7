import { nearest } from '../../lib/design/names';

const NAMES =
  'australiacentral australiacentral2 australiaeast australiasoutheast austriaeast belgiumcentral brazilsouth ' +
  'brazilsoutheast canadacentral canadaeast centralindia centralus chilecentral denmarkeast eastasia eastus ' +
  'eastus2 eastus3 francecentral francesouth germanynorth germanywestcentral greececentral indiasouthcentral ' +
  'indonesiacentral israelcentral israelnorthwest italynorth japaneast japanwest jioindiacentral jioindiawest ' +
  'koreacentral koreasouth malaysiasouth malaysiawest mexicocentral newzealandnorth northcentralus northeurope ' +
  'norwayeast norwaywest polandcentral qatarcentral saudiarabiacentral saudiarabiaeast southafricanorth ' +
  'southafricawest southcentralus southeastasia southindia spaincentral swedencentral swedensouth ' +
  'switzerlandnorth switzerlandwest taiwannorth taiwannorthwest uaecentral uaenorth uksouth ukwest ' +
  'westcentralus westeurope westindia westus westus2 westus3 chinaeast chinaeast2 chinaeast3 chinanorth ' +
  'chinanorth2 chinanorth3 usdodcentral usdodeast usgovarizona usgovtexas usgovvirginia';

/**
 * Azure's regions in Azure's spelling, including those of its clouds for China and the US government. No package lists
 * all regions, so a test compares this list with the regions in @azure/identity, and newer regions are added by hand.
 */
export const REGIONS: readonly string[] = NAMES.split(' ');

/** Whether a string is a region's name, such as `brazilsouth`, or its display name, such as `Brazil South`. */
export function isRegion(name: string): boolean {
  return REGIONS.includes(written(name));
}

/** Returns the region that the user probably meant. */
export function regionLike(name: string): string {
  return nearest(written(name), REGIONS) ?? 'brazilsouth';
}

function written(name: string): string {
  return name.toLowerCase().replaceAll(' ', '');
}
