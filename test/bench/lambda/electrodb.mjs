/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: ElectroDB's templates use `${…}` */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Entity } from 'electrodb';

const text = { type: 'string', required: true };
const key = (field, template, ...composite) => ({ field, template, composite, casing: 'none' });
const Post = new Entity(
  {
    model: { entity: 'Post', version: '1', service: 'blog' },
    attributes: { postId: text, category: text, publishedAt: text },
    indexes: {
      byId: { pk: key('PK', 'POST#${postId}', 'postId'), sk: key('SK', 'POST#${postId}', 'postId') },
      byCategory: {
        index: 'GSI1',
        pk: key('GSI1PK', 'CATEGORY#${category}', 'category'),
        sk: key('GSI1SK', 'POST#${publishedAt}#${postId}', 'publishedAt', 'postId'),
      },
    },
  },
  { table: 'my-table', client: DynamoDBDocumentClient.from(new DynamoDBClient({})) },
);

export async function handler({ category }) {
  const { data } = await Post.query.byCategory({ category }).go({ order: 'desc' });
  return data;
}
