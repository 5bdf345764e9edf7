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
 * The problems of a request before any pattern is looked up. The compiler finds them too, but a misspelt `tenant` that slips
 * through would let the caller into every tenant.
 */
export function requestProblems(request: object, known: readonly string[]): readonly GrantProblem[] {
  const { names, tenant } = request as { readonly names?: unknown; readonly tenant?: unknown };
  return [
    ...unknownFields(request, 'a grant', REQUEST, OPTIONS),
    ...nameProblems(names, known),
    ...('tenant' in request ? tenantProblems(tenant) : []),
  ];
}

/** The problems of the options, which must not change what is granted. */
export function optionProblems(options: unknown): readonly GrantProblem[] {
  if (isObject(options)) return unknownFields(options, 'a grant', OPTIONS, OPTIONS);
  const fix = "write { tenant: principalTag('tenantId') }, or leave them out for all tenants";
  return [{ path: 'options', message: `must be an object, got: ${show(options)}`, fix }];
}

/** Refuses to grant a pattern by name that is safe only as part of a procedure. */
export function reservedProblems(
  of: SystemDesign | TableDesign,
  names: readonly string[],
  system?: SystemDesign,
): readonly GrantProblem[] {
  return reservedNames(of, names, system).map(({ name, procedures }) => {
    const fix =
      procedures.length === 0
        ? `list it in 'uses' of a procedure and grant that, or take procedureOnly out of '${name}'`
        : `grant the procedure: ${procedures.join(', ')}`;
    return { path: name, message: 'only procedures send it, so it is granted with them', fix };
  });
}

function nameProblems(names: unknown, known: readonly string[]): readonly GrantProblem[] {
  const path = 'patterns';
  if (!Array.isArray(names)) {
    const fix = `write a list, such as ['${typeof names === 'string' ? names : (known[0] ?? 'getItem')}']`;
    return [{ path, message: `must be a list of names, got: ${show(names)}`, fix }];
  }
  if (names.length === 0 || (names.length === 1 && names[0] === undefined)) {
    return [{ path, message: 'no pattern was named', fix: `name at least one; ${suggestion('', known)}` }];
  }
  return names
    .filter((name) => typeof name !== 'string')
    .map((name) => {
      const fix = Array.isArray(name)
        ? `write grantPatterns(grantee, [${name.map((inner) => `'${inner}'`).join(', ')}]), or pass the names one by one`
        : `name one; ${suggestion('', known)}`;
      return { path, message: `must be names, got: ${show(name)}`, fix };
    });
}

function tenantProblems(tenant: unknown): readonly GrantProblem[] {
  const path = 'tenant';
  if (!isObject(tenant)) {
    const tag = typeof tenant === 'string' && tenant !== '' ? tenant : 'tenantId';
    const fix = `write tenant: principalTag('${tag}'), or leave 'tenant' out to let the caller into all tenants`;
    return [{ path, message: `must say where the caller's tenant comes from, got: ${show(tenant)}`, fix }];
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
    const message = `has ${strangeIn(variable)}, but IAM accepts only the characters U+0020 to U+00FF, got: ${show(variable)}`;
    problems.push({ path: `${path}.variable`, message, fix: 'name the tag in these characters' });
  }
  if (attribute !== undefined && (typeof attribute !== 'string' || attribute === '')) {
    const message = `must be the attribute that names the tenant in key templates, got: ${show(attribute)}`;
    problems.push({ path: `${path}.attribute`, message, fix: "write its name, such as 'tenantId', or leave it out" });
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
    .map((name) => ({ path: name, message: `is not an option of ${what}`, fix: suggestion(name, advised) }));
}
