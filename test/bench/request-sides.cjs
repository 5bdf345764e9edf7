// The blog's Post as each side builds its requests: put, get and query. Used by request-speed.cjs.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const { requests } = require('tablewright/request');
const { blog } = require('tablewright/systems');
const electrodb = require('electrodb');
const toolbox = require('dynamodb-toolbox');
const onetable = require('dynamodb-onetable');

const TABLE = 'blog-prod-blog';
const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'];
const TEXTS = ['postId', 'authorId', 'subcategoryId', 'publishedAt', 'title', 'content', 'createdAt', 'updatedAt'];

/** What a careful colleague would write for one table: template literals and plain objects, nothing validated. */
function handWritten() {
  return {
    put: (post) => ({
      TableName: TABLE,
      Item: {
        PK: `POST#${post.postId}`,
        SK: `POST#${post.postId}`,
        GSI1PK: `CATEGORY#${post.subcategoryId}`,
        GSI1SK: `POST#${post.publishedAt}#${post.postId}`,
        GSI2PK: `AUTHOR#${post.authorId}`,
        GSI2SK: `POST#${post.publishedAt}#${post.postId}`,
        GSI3PK: `STATUS#${post.status}`,
        GSI3SK: `POST#${post.publishedAt}#${post.postId}`,
        entityType: 'POST',
        postId: post.postId,
        authorId: post.authorId,
        subcategoryId: post.subcategoryId,
        status: post.status,
        publishedAt: post.publishedAt,
        title: post.title,
        content: post.content,
        createdAt: post.createdAt,
        updatedAt: post.updatedAt,
      },
      ConditionExpression: 'attribute_not_exists(#0)',
      ExpressionAttributeNames: { '#0': 'PK' },
    }),
    get: ({ postId }) => ({ TableName: TABLE, Key: { PK: `POST#${postId}`, SK: `POST#${postId}` } }),
    query: ({ subcategoryId }) => ({
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#0 = :0 AND begins_with(#1, :1)',
      ExpressionAttributeNames: { '#0': 'GSI1PK', '#1': 'GSI1SK' },
      ExpressionAttributeValues: { ':0': `CATEGORY#${subcategoryId}`, ':1': 'POST#' },
      ScanIndexForward: false,
      Limit: 10,
    }),
  };
}

function tablewright() {
  const { put, patterns } = requests(blog.tables.blog, TABLE);
  return {
    put: (post) => put('Post', post),
    get: (values) => patterns.getPost(values),
    query: (values) => patterns.postsByCategory(values),
  };
}

/* The peers write `${name}` in their own templates. */
/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is their notation */

function electroDb() {
  const text = { type: 'string', required: true };
  const key = (field, template) => ({
    field,
    template,
    composite: Array.from(template.matchAll(/\$\{(\w+)\}/g), ([, name]) => name),
    // Else it writes all keys in lower case.
    casing: 'none',
  });
  const index = (name, template) => ({
    index: name,
    pk: key(`${name}PK`, template),
    sk: key(`${name}SK`, 'POST#${publishedAt}#${postId}'),
  });
  const Post = new electrodb.Entity(
    {
      model: { entity: 'Post', version: '1', service: 'blog' },
      attributes: {
        ...Object.fromEntries(TEXTS.map((name) => [name, text])),
        status: { type: STATUSES, required: true },
        entityType: { ...text, default: 'POST' },
      },
      indexes: {
        byId: { pk: key('PK', 'POST#${postId}'), sk: key('SK', 'POST#${postId}') },
        byCategory: index('GSI1', 'CATEGORY#${subcategoryId}'),
        byAuthor: index('GSI2', 'AUTHOR#${authorId}'),
        byStatus: index('GSI3', 'STATUS#${status}'),
      },
    },
    { table: TABLE },
  );
  const page = { order: 'desc', limit: 10 };
  return {
    put: (post) => Post.create(post).params(),
    get: (values) => Post.get(values).params(),
    query: (values) => Post.query.byCategory(values).params(page),
  };
}

function oneTable() {
  const text = { type: String, required: true };
  const key = (value) => ({ type: String, value });
  const sort = key('POST#${publishedAt}#${postId}');
  const table = new onetable.Table({
    name: TABLE,
    // It is never called, and has to be there.
    client: {},
    partial: false,
    schema: {
      format: 'onetable:1.1.0',
      version: '0.0.1',
      params: { typeField: 'entityType', isoDates: true, timestamps: false },
      indexes: {
        primary: { hash: 'PK', sort: 'SK' },
        GSI1: { hash: 'GSI1PK', sort: 'GSI1SK', project: 'all' },
        GSI2: { hash: 'GSI2PK', sort: 'GSI2SK', project: 'all' },
        GSI3: { hash: 'GSI3PK', sort: 'GSI3SK', project: 'all' },
      },
      models: {
        POST: {
          PK: key('POST#${postId}'),
          SK: key('POST#${postId}'),
          GSI1PK: key('CATEGORY#${subcategoryId}'),
          GSI1SK: sort,
          GSI2PK: key('AUTHOR#${authorId}'),
          GSI2SK: sort,
          GSI3PK: key('STATUS#${status}'),
          GSI3SK: sort,
          ...Object.fromEntries(TEXTS.map((name) => [name, text])),
          status: { ...text, enum: STATUSES },
        },
      },
    },
  });
  const Post = table.getModel('POST');
  // It writes into its options, so that they cannot be shared.
  return {
    put: (post) => Post.create(post, { execute: false }),
    get: (values) => Post.get(values, { execute: false }),
    query: ({ subcategoryId }) =>
      Post.find(
        { GSI1PK: `CATEGORY#${subcategoryId}`, GSI1SK: { begins: 'POST#' } },
        { index: 'GSI1', execute: false, reverse: true, limit: 10 },
      ),
  };
}

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is their notation */

function dynamodbToolbox() {
  const { Entity, GetItemCommand, item, PutItemCommand, QueryCommand, string, Table } = toolbox;
  const named = (name) => ({ name, type: 'string' });
  const index = (name) => ({ type: 'global', partitionKey: named(`${name}PK`), sortKey: named(`${name}SK`) });
  const table = new Table({
    name: TABLE,
    partitionKey: named('PK'),
    sortKey: named('SK'),
    entityAttributeSavedAs: 'entityType',
    indexes: { GSI1: index('GSI1'), GSI2: index('GSI2'), GSI3: index('GSI3') },
  });
  const sort = ({ publishedAt, postId }) => `POST#${publishedAt}#${postId}`;
  const Post = new Entity({
    name: 'POST',
    table,
    timestamps: false,
    schema: item({
      ...Object.fromEntries(TEXTS.map((name) => [name, string()])),
      postId: string().key(),
      status: string().enum(...STATUSES),
    }).and({
      GSI1PK: string().link(({ subcategoryId }) => `CATEGORY#${subcategoryId}`),
      GSI1SK: string().link(sort),
      GSI2PK: string().link(({ authorId }) => `AUTHOR#${authorId}`),
      GSI2SK: string().link(sort),
      GSI3PK: string().link(({ status }) => `STATUS#${status}`),
      GSI3SK: string().link(sort),
    }),
    computeKey: ({ postId }) => ({ PK: `POST#${postId}`, SK: `POST#${postId}` }),
  });
  const fresh = { condition: { attr: 'postId', exists: false } };
  // Without its filter by entity, which no other side has.
  const page = { reverse: true, limit: 10, entityAttrFilter: false };
  return {
    put: (post) => Post.build(PutItemCommand).item(post).options(fresh).params(),
    get: (values) => Post.build(GetItemCommand).key(values).params(),
    query: ({ subcategoryId }) =>
      table
        .build(QueryCommand)
        .query({ index: 'GSI1', partition: `CATEGORY#${subcategoryId}`, range: { beginsWith: 'POST#' } })
        .entities(Post)
        .options(page)
        .params(),
  };
}

exports.sides = {
  'hand-written': handWritten(),
  tablewright: tablewright(),
  ElectroDB: electroDb(),
  'dynamodb-toolbox': dynamodbToolbox(),
  OneTable: oneTable(),
};
