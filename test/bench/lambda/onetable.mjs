/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: OneTable's value templates use `${…}` */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Table } from 'dynamodb-onetable';
import { Dynamo } from 'dynamodb-onetable/Dynamo';

const text = { type: String, required: true };
const key = (value) => ({ type: String, value });
const table = new Table({
  name: 'my-table',
  client: new Dynamo({ client: new DynamoDBClient({}) }),
  partial: false,
  schema: {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    params: { typeField: '_type', isoDates: true, timestamps: false },
    indexes: { primary: { hash: 'PK', sort: 'SK' }, GSI1: { hash: 'GSI1PK', sort: 'GSI1SK', project: 'all' } },
    models: {
      Post: {
        PK: key('POST#${postId}'),
        SK: key('POST#${postId}'),
        GSI1PK: key('CATEGORY#${category}'),
        GSI1SK: key('POST#${publishedAt}#${postId}'),
        postId: text,
        category: text,
        publishedAt: text,
      },
    },
  },
});
const Post = table.getModel('Post');

export const handler = ({ category }) =>
  Post.find({ GSI1PK: `CATEGORY#${category}`, GSI1SK: { begins: 'POST#' } }, { index: 'GSI1', reverse: true });
