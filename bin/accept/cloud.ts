import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The credentials of an assumed role. */
export interface Session {
  readonly AccessKeyId: string;
  readonly SecretAccessKey: string;
  readonly SessionToken: string;
}

export interface Assumed {
  /** A session policy that restricts the role. @default - the session has all of the role's permissions */
  readonly policy?: object;
  /** Session tags, by name. @default - none */
  readonly tags?: Readonly<Record<string, string>>;
}

/** An AWS account, accessed through the AWS CLI with the user's own credentials. */
export interface Account {
  /** Returns the account and the region of the signed-in user. */
  whoami(): Promise<{ readonly account: string; readonly region: string }>;
  /** Deploys a stack from a file and returns its outputs. */
  deploy(stack: string, file: string): Promise<Readonly<Record<string, string>>>;
  /** Deletes a stack; succeeds if the stack does not exist. */
  destroy(stack: string): Promise<void>;
  assume(role: string, assumed: Assumed): Promise<Session>;
}

const run = promisify(execFile);

export function accountOf(profile: string | undefined, region: string | undefined): Account {
  const chosen = [...(profile === undefined ? [] : ['--profile', profile]), ...(region ? ['--region', region] : [])];
  const aws = async (...args: readonly string[]): Promise<string> => {
    try {
      return (await run('aws', [...args, ...chosen, '--output', 'json'], { maxBuffer: 2 ** 24 })).stdout;
    } catch (error) {
      const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
      if (code === 'ENOENT')
        throw new Error('the AWS CLI is not installed; install it, and sign in: aws sso login --profile <name>');
      throw new Error(`aws ${args.slice(0, 2).join(' ')} failed: ${stderr.trim().split('\n').at(-1)}`);
    }
  };
  return {
    async whoami() {
      const { Account: account } = JSON.parse(await aws('sts', 'get-caller-identity')) as { Account: string };
      const named = region ?? (await aws('configure', 'get', 'region').catch(() => '')).trim();
      if (named === '') throw new Error('no region is set; pass --region, such as --region eu-west-1');
      return { account, region: named };
    },
    async deploy(stack, file) {
      const made = ['--stack-name', stack, '--template-file', file, '--capabilities', 'CAPABILITY_IAM'];
      await aws('cloudformation', 'deploy', ...made, '--tags', `tablewright-accept=${stack}`);
      const { Stacks } = JSON.parse(await aws('cloudformation', 'describe-stacks', '--stack-name', stack)) as Described;
      return Object.fromEntries(Stacks[0].Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
    },
    async destroy(stack) {
      await aws('cloudformation', 'delete-stack', '--stack-name', stack);
      await aws('cloudformation', 'wait', 'stack-delete-complete', '--stack-name', stack);
    },
    async assume(role, { policy, tags = {} }) {
      const narrowed = policy === undefined ? [] : ['--policy', JSON.stringify(policy)];
      const pairs = Object.entries(tags).map(([name, value]) => `Key=${name},Value=${value}`);
      const tagged = pairs.length === 0 ? [] : ['--tags', ...pairs];
      const session = ['--role-arn', role, '--role-session-name', 'tablewright-accept', ...narrowed, ...tagged];
      return (JSON.parse(await aws('sts', 'assume-role', ...session)) as { Credentials: Session }).Credentials;
    },
  };
}

interface Described {
  readonly Stacks: readonly [
    { readonly Outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[] },
  ];
}

const VARIABLES = ['AWS_PROFILE', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** Runs `work` with other credentials in the environment variables that the SDK reads. */
export async function signedInAs<T>(session: Session, region: string, work: () => Promise<T>): Promise<T> {
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) delete process.env[name];
  process.env.AWS_REGION = region;
  process.env.AWS_ACCESS_KEY_ID = session.AccessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = session.SecretAccessKey;
  process.env.AWS_SESSION_TOKEN = session.SessionToken;
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
