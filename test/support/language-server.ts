import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './compile';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Asker {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Queries TypeScript as an editor does, through the compiler's own language server. */
export class LanguageServer {
  private readonly server: ChildProcess;
  private readonly askers = new Map<number, Asker>();
  private received = Buffer.alloc(0);
  private asked = 0;
  private version = 0;

  public constructor(private readonly file: string) {
    const command = join(ROOT, 'node_modules/.bin/tsc');
    this.server = spawn(command, ['--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.server.stdout?.on('data', (data: Buffer) => this.take(data));
  }

  public async open(): Promise<void> {
    await this.ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    this.tell({ method: 'initialized', params: {} });
    const textDocument = { uri: this.uri, languageId: 'typescript', version: 0, text: '' };
    this.tell({ method: 'textDocument/didOpen', params: { textDocument } });
  }

  /** Returns the completions at the cursor, which is written as `|`. */
  public async completions(textWithCursor: string): Promise<readonly string[]> {
    const result = await this.at('textDocument/completion', textWithCursor);
    const items = Array.isArray(result) ? result : ((result as { items?: unknown[] } | null)?.items ?? []);
    return (items as { label: string }[]).map(({ label }) => label.replace('?', '')).sort();
  }

  /** Returns the hover text for the name after the cursor, which is written as `|`. */
  public async hover(textWithCursor: string): Promise<string> {
    const result = await this.at('textDocument/hover', textWithCursor);
    return (result as { contents: { value: string } } | null)?.contents.value ?? '';
  }

  public close(): void {
    this.server.kill();
  }

  private get uri(): string {
    return pathToFileURL(this.file).href;
  }

  private at(method: string, textWithCursor: string): Promise<unknown> {
    const [before, after] = textWithCursor.split('|', 2) as [string, string];
    this.version += 1;
    const textDocument = { uri: this.uri, version: this.version };
    this.tell({
      method: 'textDocument/didChange',
      params: { textDocument, contentChanges: [{ text: before + after }] },
    });
    const lines = before.split('\n');
    const position = { line: lines.length - 1, character: (lines.at(-1) as string).length };
    return this.ask(method, { textDocument: { uri: this.uri }, position });
  }

  private ask(method: string, params: object): Promise<unknown> {
    this.asked += 1;
    const id = this.asked;
    this.tell({ id, method, params });
    return new Promise((resolve, reject) => this.askers.set(id, { resolve, reject }));
  }

  private tell(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  private take(data: Buffer): void {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(this.received.subarray(0, end).toString())?.[1]);
      if (this.received.length < end + 4 + length) return;
      const message = JSON.parse(this.received.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.received = this.received.subarray(end + 4 + length);
      this.handle(message);
    }
  }

  private handle({ id, method, result, error }: Message): void {
    if (id === undefined) return;
    // Ignores requests from the server to the editor, such as requests for the editor's settings.
    if (method !== undefined) {
      this.tell({ id, result: null });
      return;
    }
    const asker = this.askers.get(id);
    this.askers.delete(id);
    if (error === undefined) asker?.resolve(result);
    else asker?.reject(new Error(error.message));
  }
}
