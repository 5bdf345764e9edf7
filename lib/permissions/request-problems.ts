import { strangeIn } from '../blueprint/policy-characters';
import { reservedNames } from '../blueprint/system';
import { suggestion } from '../design/names';
import { isObject, show } from '../design/show';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { GrantProblem } from './grant';

const REQUEST = ['of', 'system', 'names', 'tenant'];
const OPTIONS = ['tenant'];
const SOURCE = ['variable', 'attribute'];

/**
 * The problems with a request that can be found without looking at its patterns. The compiler reports these problems
 * too. They are checked again here, because a misspelled `tenant` would otherwise grant access to every tenant.
 */
export function requestProblems(request: object, known: readonly string[]): readonly GrantProblem[] {
  const { names, tenant } = request as { readonly names?: unknown; readonly tenant?: unknown };
  return [
    ...unknownFields(request, 'a grant', REQUEST, OPTIONS),
    ...nameProblems(names, known),
    ...('tenant' in request ? tenantProblems(tenant) : []),
  ];
}

/** Reports unknown options, because ignoring one could silently widen the grant. */
export function optionProblems(options: unknown): readonly GrantProblem[] {
  if (isObject(options)) return unknownFields(options, 'a grant', OPTIONS, OPTIONS);
  const fix = "write { tenant: principalTag('tenantId') }, or remove the options to grant access to all tenants";
  return [{ path: 'options', message: `must be an object, got: ${show(options)}`, fix }];
}

/** Reports patterns that are granted by name, although they are safe only as part of a procedure. */
export function reservedProblems(
  of: SystemDesign | TableDesign,
  names: readonly string[],
  system?: SystemDesign,
): readonly GrantProblem[] {
  return reservedNames(of, names, system).map(({ name, procedures }) => {
    const fix =
      procedures.length === 0
        ? `add '${name}' to the 'uses' of a procedure and grant that procedure, or delete 'procedureOnly' from '${name}'`
        : `grant the procedure: ${procedures.join(', ')}`;
    return { path: name, message: "a pattern with 'procedureOnly' can be granted only through its procedures", fix };
  });
}

function nameProblems(names: unknown, known: readonly string[]): readonly GrantProblem[] {
  const path = 'patterns';
  if (!Array.isArray(names)) {
    const fix = `write a list, such as ['${typeof names === 'string' ? names : (known[0] ?? 'getItem')}']`;
    return [{ path, message: `must be a list of names, got: ${show(names)}`, fix }];
  }
  if (names.length === 0 || (names.length === 1 && names[0] === undefined)) {
    return [{ path, message: 'no pattern was named', fix: `name at least one pattern; ${suggestion('', known)}` }];
  }
  return names
    .filter((name) => typeof name !== 'string')
    .map((name) => {
      const fix = Array.isArray(name)
        ? `write grantPatterns(grantee, [${name.map((inner) => `'${inner}'`).join(', ')}]), or pass the names one by one`
        : `name a pattern; ${suggestion('', known)}`;
      return { path, message: `must be pattern names, got: ${show(name)}`, fix };
    });
}

function tenantProblems(tenant: unknown): readonly GrantProblem[] {
  const path = 'tenant';
  if (!isObject(tenant)) {
    const tag = typeof tenant === 'string' && tenant !== '' ? tenant : 'tenantId';
    const fix = `write tenant: principalTag('${tag}'), or remove 'tenant' to grant all tenants`;
    return [{ path, message: `must be the source of the caller's tenant, got: ${show(tenant)}`, fix }];
  }
  const { variable, attribute } = tenant;
  const problems = unknownFields(tenant, 'a tenant', SOURCE, SOURCE).map((problem) => ({
    ...problem,
    path: `${path}.${problem.path}`,
  }));
  if (typeof variable !== 'string' || !/^[^\s:${}*?]+:[^${}*?]+$/.test(variable)) {
    const message = `must be a policy variable without \${ and }, got: ${show(variable)}`;
    problems.push({
      path: `${path}.variable`,
      message,
      fix: "write 'aws:PrincipalTag/tenantId', or principalTag('tenantId')",
    });
  }
  if (typeof variable === 'string' && strangeIn(variable) !== undefined) {
    const message = `${show(variable)} contains ${strangeIn(variable)}, but IAM accepts only the characters U+0020 to U+00FF`;
    problems.push({ path: `${path}.variable`, message, fix: 'rename the tag, using only these characters' });
  }
  if (attribute !== undefined && (typeof attribute !== 'string' || attribute === '')) {
    const message = `must be the name of the tenant attribute in key templates, got: ${show(attribute)}`;
    problems.push({
      path: `${path}.attribute`,
      message,
      fix: "write a name such as 'tenantId', or remove 'attribute'",
    });
  }
  return problems;
}

function unknownFields(
  given: object,
  what: string,
  known: readonly string[],
  advised: readonly string[],
): readonly GrantProblem[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: name, message: `'${name}' is not an option of ${what}`, fix: suggestion(name, advised) }));
}
