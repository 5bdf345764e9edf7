// A stub for every AWS SDK package, the same for all sides. It responds to any query with one post, which has the type
// attribute of the measured library.
const STORED = {
  PK: 'POST#1',
  SK: 'POST#1',
  GSI1PK: 'CATEGORY#news',
  GSI1SK: 'POST#2026-01-31T12:00:00.000Z#1',
  postId: '1',
  category: 'news',
  publishedAt: '2026-01-31T12:00:00.000Z',
};
const MARKS = {
  electrodb: { __edb_e__: 'Post', __edb_v__: '1' },
  'dynamodb-toolbox': { _et: 'Post' },
  onetable: { _type: 'Post' },
};

class Client {
  static from(client) {
    return client;
  }
  async send(command) {
    Client.sent.push(command.input);
    return { Items: [{ ...STORED, ...MARKS[process.env.SIDE] }], Count: 1, ScannedCount: 1, $metadata: {} };
  }
}
Client.sent = [];

class Command {
  constructor(input) {
    this.input = input;
  }
}

const own = {
  DynamoDBClient: Client,
  DynamoDBDocumentClient: Client,
  marshall: (value) => value,
  unmarshall: (value) => value,
};
module.exports = new Proxy(own, {
  get: (_, name) => own[name] ?? (/Command$/.test(String(name)) ? Command : undefined),
});
