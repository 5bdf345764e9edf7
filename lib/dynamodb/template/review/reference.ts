import { isObject } from '../../../design/show';
import { AWS_TABLE_TYPES } from '../tables';
import { record } from './shape';
import type { ReviewedStack, TableUnderReview } from './subject';

/** Represents a value that is known only at deployment. */
const UNKNOWN = '*';

/**
 * Converts a value in a template to a string: a table becomes its name, and a value that is known only at deployment
 * becomes `*`. Resolves references to other stacks of the app.
 */
export function textOf(value: unknown, stack: ReviewedStack, app: readonly ReviewedStack[]): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, inner] = ['', undefined]] = Object.entries(value);
  const text = (part: unknown) => textOf(part, stack, app);
  switch (name) {
    case 'Ref':
      return nameOf(stack, String(inner)) ?? parameter(String(inner), app);
    case 'Fn::GetAtt': {
      const [id = '', ...attribute] = Array.isArray(inner) ? inner : String(inner).split('.');
      return attributeOf(String(id), attribute.join('.'), stack, app);
    }
    case 'Fn::Join': {
      return Array.isArray(inner) && Array.isArray(inner[1]) ? inner[1].map(text).join(String(inner[0])) : UNKNOWN;
    }
    case 'Fn::Sub': {
      const [form, values] = [inner].flat();
      return String(form).replace(/\$\{([^!}]+)\}/g, (_, name: string) => {
        if (isObject(values) && Object.hasOwn(values, name)) return text(values[name]);
        return text(name.includes('.') ? { 'Fn::GetAtt': name } : { Ref: name });
      });
    }
    case 'Fn::ImportValue':
      return output(app, ({ exportName }) => exportName === inner);
    case 'Fn::GetStackOutput':
      return output(app, ({ id }) => id === record(inner).OutputName);
    default:
      return UNKNOWN;
  }
}

/**
 * Returns the part of a DynamoDB ARN after the account, such as `table/blog/index/GSI1`, or undefined if the ARN
 * belongs to a different service or is known only at deployment.
 */
export function pathOf(resource: unknown, stack: ReviewedStack, app: readonly ReviewedStack[]): string | undefined {
  if (resource === '*') return '*';
  const [start, , service = '', , , ...path] = textOf(resource, stack, app).split(':');
  return start === 'arn' && matches(service, 'dynamodb') ? path.join(':') : undefined;
}

/** Whether a pattern with `*` and `?` matches a string. */
export function matches(pattern: string, text: string): boolean {
  const form = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${form}$`, 'i').test(text);
}

/**
 * The table's name in the template or, if CloudFormation generates the name, a placeholder that is not a legal table
 * name.
 */
export function tableName({ stack, logicalId }: TableUnderReview): string {
  return nameOf(stack, logicalId) as string;
}

function nameOf(stack: ReviewedStack, logicalId: string): string | undefined {
  const resource = stack.template.Resources?.[logicalId];
  if (resource === undefined || !AWS_TABLE_TYPES.includes(resource.Type)) return undefined;
  const name = resource.Properties?.TableName;
  return typeof name === 'string' ? name : `(${stack.path}/${logicalId})`;
}

function attributeOf(id: string, attribute: string, stack: ReviewedStack, app: readonly ReviewedStack[]): string {
  const [, name] = /^Outputs\.(.+)$/.exec(attribute) ?? [];
  if (name !== undefined) return output(app, ({ id }) => id === name);
  const table = nameOf(stack, id);
  return table !== undefined && attribute === 'Arn' ? `arn:*:dynamodb:*:*:table/${table}` : UNKNOWN;
}

/**
 * Finds the value of an output in any stack of the app, which is safe because nested stacks' outputs have unique ids.
 */
function output(
  app: readonly ReviewedStack[],
  isIt: (output: { readonly id: string; readonly exportName: unknown }) => boolean,
): string {
  for (const stack of app) {
    for (const [id, { Value, Export }] of Object.entries(stack.template.Outputs ?? {})) {
      if (isIt({ id, exportName: Export?.Name })) return textOf(Value, stack, app);
    }
  }
  return UNKNOWN;
}

/** Finds the value that a nested stack receives for a parameter. */
function parameter(name: string, app: readonly ReviewedStack[]): string {
  for (const stack of app) {
    for (const { Type, Properties } of Object.values(stack.template.Resources ?? {})) {
      const given = Type === 'AWS::CloudFormation::Stack' ? record(Properties?.Parameters) : {};
      if (Object.hasOwn(given, name)) return textOf(given[name], stack, app);
    }
  }
  return UNKNOWN;
}
