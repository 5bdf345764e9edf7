import { entities, requests } from '../../../lib/dynamodb';
import { unique } from '../../../lib/dynamodb/unique';
import { blogTable } from '../../../lib/systems/blog/design';

/** Each entity's keys as the document lists them, one per line. */
const document: Readonly<Record<string, string>> = {
  User: `PK = USER#<cognitoSub>
    SK = PROFILE#<cognitoSub>
    GSI1PK = USER#<cognitoSub>
    GSI1SK = PROFILE
    GSI2PK = ROLE#<role>
    GSI2SK = USER#<cognitoSub>`,
  Post: `PK = POST#<postId>
    SK = POST#<postId>
    GSI1PK = CATEGORY#<subcategoryId>
    GSI1SK = POST#<publishedAt>#<postId>
    GSI2PK = AUTHOR#<authorId>
    GSI2SK = POST#<publishedAt>#<postId>`,
  Category: `PK = CATEGORY#<categoryId>
    SK = CATEGORY#<categoryId>
    GSI1PK = CATEGORY_ROOT
    GSI1SK = CATEGORY#<order>#<categoryId>`,
  Subcategory: `PK = CATEGORY#<subcategoryId>
    SK = CATEGORY#<subcategoryId>
    GSI1PK = CATEGORY#<parentId>
    GSI1SK = CATEGORY#<order>#<subcategoryId>`,
  CategoryChild: `PK = CATEGORY#<parentId>
    SK = CHILD#<childId>#<order>`,
  Comment: `PK = POST#<postId>
    SK = COMMENT#<commentId>#<createdAt>
    GSI1PK = COMMENT#<commentId>
    GSI1SK = POST#<postId>
    GSI2PK = AUTHOR#<authorId>
    GSI2SK = COMMENT#<createdAt>#<commentId>`,
  Reply: `PK = POST#<postId>
    SK = COMMENT#<parentId>#<replyId>#<createdAt>`,
  Like: `PK = POST#<postId>
    SK = LIKE#<userId>#<createdAt>
    GSI1PK = LIKE#<userId>#<postId>
    GSI1SK = LIKE
    GSI2PK = AUTHOR#<authorId>
    GSI2SK = LIKE#<createdAt>`,
  Bookmark: `PK = USER#<userId>
    SK = BOOKMARK#<postId>#<createdAt>
    GSI1PK = BOOKMARK#<userId>
    GSI1SK = BOOKMARK#<createdAt>#<postId>
    GSI2PK = POST#<postId>
    GSI2SK = BOOKMARK#<userId>`,
  Notification: `PK = USER#<userId>
    SK = NOTIFICATION#<notificationId>#<createdAt>
    GSI1PK = NOTIFICATION#<userId>
    GSI1SK = NOTIFICATION#<createdAt>#<notificationId>`,
};

test.each(Object.entries(document))('%s has the keys that the document lists', (name, lines) => {
  const keys = blogTable.entities[name as keyof typeof blogTable.entities].keys as Readonly<Record<string, string>>;
  const written = Object.entries(keys)
    .filter(([key]) => !key.startsWith('GSI3')) // the document counts this index but never defines it
    .map(([key, template]) => `${key} = ${template.replace('<order:4>', '<order>')}`);
  expect(written).toEqual(lines.split(/\n\s*/));
});

test('the front page lists published posts, newest first', () => {
  expect(blogTable.entities.Post.keys).toMatchObject({
    GSI3PK: 'STATUS#PUBLISHED',
    GSI3SK: 'POST#<publishedAt>#<postId>',
  });
  expect(blogTable.patterns.latestPosts).toMatchObject({ index: 'GSI3', order: 'descending' });
});

const at = '2026-03-01T12:00:00.000Z';
const patterns = requests(blogTable, 'blog', { unique });
const { item } = entities(blogTable, 'blog');
const post = { postId: 'p', authorId: 'a', subcategoryId: 's', createdAt: at, updatedAt: at };
const indexed = (values: object) => Object.keys(values).filter((name) => name.startsWith('GSI'));

test('a post appears in the lists if and only if it has publishedAt, regardless of its status', () => {
  expect(indexed(item('Post', post))).toEqual([]);
  expect(indexed(item('Post', { ...post, status: 'PUBLISHED' }))).toEqual([]);
  expect(indexed(item('Post', { ...post, publishedAt: at }))).toHaveLength(6);
  expect(indexed(item('Post', { ...post, publishedAt: at, status: 'ARCHIVED' }))).toHaveLength(6);
});

/** For each entity, values of the attributes that the document requires, other than createdAt and updatedAt. */
const required: Readonly<Record<string, object>> = {
  User: { cognitoSub: 'u', role: 'AUTHOR' },
  Post: { postId: 'p', authorId: 'a', subcategoryId: 's' },
  Category: { categoryId: 'c', order: 1 },
  Subcategory: { subcategoryId: 's', parentId: 'c', order: 1 },
  CategoryChild: { parentId: 'c', childId: 's', order: 1 },
  Comment: { commentId: 'k', postId: 'p', authorId: 'u' },
  Reply: { replyId: 'r', parentId: 'k', postId: 'p' },
  Like: { userId: 'u', postId: 'p', authorId: 'u' },
  Bookmark: { userId: 'u', postId: 'p' },
  Notification: { notificationId: 'n', userId: 'u' },
};

test('the list of required attributes covers every entity in the document', () => {
  expect(Object.keys(required)).toEqual(Object.keys(document));
});

test.each(Object.entries(required))(
  '%s requires exactly what the document requires, and accepts other attributes',
  (name, values) => {
    const given = { ...values, createdAt: at, updatedAt: at };
    const made = (one: object) => item(name as 'User', one as never);
    expect(made(given)).toMatchObject(given);
    expect(made({ ...given, pinned: true, tags: ['aws'] })).toMatchObject({ pinned: true, tags: ['aws'] });
    for (const left of Object.keys(given)) {
      const { [left as keyof typeof given]: _, ...rest } = given;
      expect(() => made(rest)).toThrow(left);
    }
  },
);

test('an open entity returns undeclared attributes unchanged', () => {
  const stored = item('Bookmark', { userId: 'u', postId: 'p', createdAt: at, updatedAt: at, folder: { name: 'Ler' } });
  const { items } = patterns.bookmarksOfUser.read({ Items: [stored] });
  expect(items).toEqual([expect.objectContaining({ userId: 'u', folder: { name: 'Ler' } })]);
});

test("the front page and category lists have pages of ten, but an author's list has no page size", () => {
  expect(patterns.postsByCategory({ subcategoryId: 's' })).toMatchObject({ ScanIndexForward: false, Limit: 10 });
  expect(patterns.latestPosts({})).toMatchObject({ ScanIndexForward: false, Limit: 10 });
  expect(patterns.postsByAuthor({ authorId: 'a' })).not.toHaveProperty('Limit');
});

test("a like has its user's id in an index key, and is written together with its guard", () => {
  const steps = patterns.likePost({ userId: 'u', postId: 'p', createdAt: at }).TransactItems;
  expect(steps[0]?.Put?.Item).toMatchObject({ userId: 'u', authorId: 'u', GSI2PK: 'AUTHOR#u' });
  expect(steps[1]?.Put?.Item).toMatchObject({ PK: 'LIKE#u#p', SK: 'LIKE' });
});

test.each(['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.1Z', '2026-03-01T12:00:00.123456Z'])(
  'reads an item whose createdAt is %s',
  (createdAt) => {
    const stored = { PK: 'POST#p', SK: 'POST#p', entityType: 'POST', ...post, createdAt };
    expect(patterns.getPost.read({ Item: stored })).toMatchObject({ createdAt });
  },
);
