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
 * The regions of Azure, including those of its clouds for China and for the US government, as Azure writes them. No package
 * lists them all, so a test compares them with those in @azure/identity, and we add newer ones by hand.
 */
export const REGIONS: readonly string[] = NAMES.split(' ');

/** Whether a name is a region, by its name or by its display name, `Brazil South`. */
export function isRegion(name: string): boolean {
  return REGIONS.includes(written(name));
}

/** The region that was probably meant. */
export function regionLike(name: string): string {
  return nearest(written(name), REGIONS) ?? 'brazilsouth';
}

function written(name: string): string {
  return name.toLowerCase().replaceAll(' ', '');
}
