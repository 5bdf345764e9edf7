import { matches, pathOf, tableName } from '../reference';
import type { FoundInTemplate, TemplateRule } from '../rule';
import { type Loose, record, records, texts } from '../shape';
import { indexesOf, type LegibleTable, type LooseResource } from '../subject';

const BY_PATTERN = "grant patterns: designed.grantPattern(fn, 'getPost')";

/** The rules about permissions that the app's own policies grant on a table. */
export const grants: readonly TemplateRule[] = [
  {
    id: 'grant-everything',
    severity: 'error',
    why: 'A caller with dynamodb:* can also delete the table and its backups, and turn off its protection.',
    *check(table) {
      for (const { actions, paths, found } of statementsOn(table)) {
        const all = actions.find(
          (action) => matches(action, 'dynamodb:DeleteTable') && matches(action, 'dynamodb:GetItem'),
        );
        if (all !== undefined)
          yield found(`'${all}' is allowed on ${paths.join(', ')}`, 'list only the actions that you need');
      }
    },
  },
  {
    id: 'grant-scan',
    severity: 'warning',
    why: 'A scan reads the whole table, including the items of other tenants, and you pay for every item; most CDK grants include Scan.',
    *check(table) {
      for (const { actions, paths, found } of statementsOn(table)) {
        const scan = actions.find(
          (action) => matches(action, 'dynamodb:Scan') && !matches(action, 'dynamodb:DeleteTable'),
        );
        if (scan !== undefined) {
          yield found(
            `'${scan}' allows a Scan of ${paths.join(', ')}`,
            table.maker === 'DesignedTable'
              ? BY_PATTERN
              : "grant only the actions that you need: table.grant(fn, 'dynamodb:Query')",
          );
        }
      }
    },
  },
  {
    id: 'grant-every-index',
    severity: 'warning',
    why: 'An index is another view of the same items, so a grant on all indexes usually grants more than intended.',
    *check(table) {
      if (indexesOf(table).length === 0) return;
      for (const { actions, paths, found } of statementsOn(table)) {
        if (!['dynamodb:Query', 'dynamodb:Scan'].some((read) => actions.some((action) => matches(action, read))))
          continue;
        const wide = paths.find((path) => matches(path, `table/${tableName(table)}/index/(any)`));
        if (wide !== undefined)
          yield found(
            `'${wide}' allows reads of every index`,
            table.maker === 'DesignedTable' ? BY_PATTERN : 'grant only the index: <table ARN>/index/GSI1',
          );
      }
    },
  },
];

/** A statement that allows actions on a table or its indexes. */
interface Grant {
  readonly actions: readonly string[];
  /** The statement's resources that cover the table or its indexes. */
  readonly paths: readonly string[];
  found(message: string, fix: string): FoundInTemplate;
}

function* statementsOn(table: LegibleTable): Iterable<Grant> {
  const name = `table/${tableName(table)}`;
  for (const stack of table.app) {
    for (const [logicalId, resource] of Object.entries(stack.template.Resources ?? {})) {
      for (const { location, statement } of statementsOf(resource)) {
        if (statement.Effect !== 'Allow') continue;
        const actions = texts(statement.Action);
        const paths = [statement.Resource ?? []]
          .flat()
          .flatMap((resource) => pathOf(resource, stack, table.app) ?? [])
          .filter(
            (path) => matches(path, name) || matches(path, `${name}/index/(any)`) || path.startsWith(`${name}/index/`),
          );
        if (paths.length === 0) continue;
        const found = (message: string, fix: string) => ({ stack: stack.path, logicalId, location, message, fix });
        yield { actions, paths, found };
      }
    }
  }
}

/** Returns the statements in a policy, or in a resource that contains policies. */
function statementsOf({ Type, Properties = {} }: LooseResource): readonly { location: string; statement: Loose }[] {
  if (!Type.startsWith('AWS::IAM::')) return [];
  const documents = [
    { location: 'Properties.PolicyDocument', document: Properties.PolicyDocument },
    ...records(Properties.Policies).map(({ PolicyDocument }, i) => ({
      location: `Properties.Policies.${i}.PolicyDocument`,
      document: PolicyDocument,
    })),
  ];
  return documents.flatMap(({ location, document }) =>
    records(record(document).Statement).map((statement, i) => ({ location: `${location}.Statement.${i}`, statement })),
  );
}
