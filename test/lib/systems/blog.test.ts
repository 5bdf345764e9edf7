import { requests } from '../../../lib/dynamodb';
import { blogTable } from '../../../lib/systems/blog/design';

/** The document's own key tables, line by line. */
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

test.each(Object.entries(document))('the keys of %s are those of the document', (name, lines) => {
  const keys = blogTable.entities[name as keyof typeof blogTable.entities].keys as Readonly<Record<string, string>>;
  const written = Object.entries(keys)
    .filter(([key]) => !key.startsWith('GSI3')) // the index that the document counts and does not define
    .map(([key, template]) => `${key} = ${template.replace('<order:4>', '<order>')}`);
  expect(written).toEqual(lines.split(/\n\s*/));
});

test('posts are on the front page by status, newest first', () => {
  expect(blogTable.entities.Post.keys).toMatchObject({
    GSI3PK: 'STATUS#<status>',
    GSI3SK: 'POST#<publishedAt>#<postId>',
  });
  expect(blogTable.patterns.latestPosts).toMatchObject({ index: 'GSI3', order: 'descending' });
});

const at = '2026-03-01T12:00:00.000Z';
const { item, patterns } = requests(blogTable, 'blog');
const post = { postId: 'p', authorId: 'a', subcategoryId: 's', createdAt: at, updatedAt: at };
const indexed = (values: object) => Object.keys(values).filter((name) => name.startsWith('GSI'));

interface Changed {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
}

describe('a post', () => {
  test('is in no list while it is a draft, which has no publishedAt, or archived', () => {
    expect(indexed(item('Post', { ...post, status: 'DRAFT' }))).toEqual([]);
    expect(indexed(item('Post', { ...post, status: 'ARCHIVED', publishedAt: at }))).toEqual([]);
    expect(indexed(item('Post', { ...post, status: 'PUBLISHED', publishedAt: at }))).toHaveLength(6);
  });

  test('comes into all lists when it is published, and leaves them when it is archived', () => {
    const publish = patterns.publishPost({ postId: 'p', authorId: 'a', subcategoryId: 's', publishedAt: at });
    const { Update: published } = publish.TransactItems[0] as { Update: Changed };
    expect(published.UpdateExpression).not.toContain('REMOVE');
    expect(
      indexed(Object.fromEntries(Object.values(published.ExpressionAttributeNames).map((name) => [name, 0]))),
    ).toHaveLength(6);
    const archive = patterns.archivePost({ postId: 'p', authorId: 'a', archivedAt: at });
    const { Update: archived } = archive.TransactItems[0] as { Update: Changed };
    expect(archived.UpdateExpression.split('REMOVE')[1]?.split(',')).toHaveLength(6);
  });

  test('that is moved is where its status says', () => {
    const move = (status: 'DRAFT' | 'PUBLISHED') =>
      patterns.movePost({ postId: 'p', authorId: 'a', subcategoryId: 't', status, updatedAt: at })
        .ExpressionAttributeValues;
    expect(Object.values(move('PUBLISHED') ?? {})).toContain('CATEGORY#t');
    expect(Object.values(move('DRAFT') ?? {})).not.toContain('CATEGORY#t');
  });
});

/** What the document requires: the attributes in keys, those that all have, and the status that decides on lists. */
const required: Readonly<Record<string, object>> = {
  User: { cognitoSub: 'u', role: 'AUTHOR' },
  Post: { postId: 'p', authorId: 'a', subcategoryId: 's', status: 'DRAFT' },
  Category: { categoryId: 'c', order: 1 },
  Subcategory: { subcategoryId: 's', parentId: 'c', order: 1 },
  CategoryChild: { parentId: 'c', childId: 's', order: 1 },
  Comment: { commentId: 'k', postId: 'p', authorId: 'u' },
  Reply: { replyId: 'r', parentId: 'k', postId: 'p', authorId: 'u' },
  Like: { userId: 'u', postId: 'p', authorId: 'u' },
  Bookmark: { userId: 'u', postId: 'p' },
  Notification: { notificationId: 'n', userId: 'u' },
};

test('what the document requires is told here of every entity it has', () => {
  expect(Object.keys(required)).toEqual(Object.keys(document));
});

test.each(Object.entries(required))('%s needs no more than the document requires, and is open', (name, values) => {
  const given = { ...values, createdAt: at, updatedAt: at };
  const made = (one: object) => item(name as 'User', one as never);
  expect(made(given)).toMatchObject(given);
  expect(made({ ...given, pinned: true, tags: ['aws'] })).toMatchObject({ pinned: true, tags: ['aws'] });
  for (const left of Object.keys(given)) {
    const { [left as keyof typeof given]: _, ...rest } = given;
    expect(() => made(rest)).toThrow(left);
  }
});

test('what an open entity has beside what is named is read as it was written', () => {
  const stored = item('Bookmark', { userId: 'u', postId: 'p', createdAt: at, updatedAt: at, folder: { name: 'Ler' } });
  const { items } = patterns.bookmarksOfUser.read({ Items: [stored] });
  expect(items).toEqual([expect.objectContaining({ userId: 'u', folder: { name: 'Ler' } })]);
});

test('the lists of a category and the front page come ten at a time, and that of a user in larger pages', () => {
  expect(patterns.postsByCategory({ subcategoryId: 's' })).toMatchObject({ ScanIndexForward: false, Limit: 10 });
  expect(patterns.latestPosts({})).toMatchObject({ ScanIndexForward: false, Limit: 10 });
  expect(patterns.postsByAuthor({ authorId: 'a' })).not.toHaveProperty('Limit');
});

test('a post keeps what the design does not name, and is made in no list', () => {
  const draft = { ...post, status: 'DRAFT' as const, coverImage: 'capa.png', readingMinutes: 4 };
  const [made, row] = patterns.createPost({ post: draft }).TransactItems.map(({ Put }) => Put?.Item);
  expect(made).toMatchObject(draft);
  expect(indexed(made ?? {})).toEqual([]);
  expect(row).toMatchObject({ PK: 'USER#a', SK: 'UNLISTED#DRAFT#p' });
  expect(() => patterns.createPost({ post: { ...draft, status: 'PUBLISHED', publishedAt: at } })).toThrow('status');
});

test('a draft with publishedAt is refused, and told what to do; what comes archived from elsewhere may have one', () => {
  const draft = { ...post, status: 'DRAFT' as const, publishedAt: at };
  expect(() => patterns.createPost({ post: draft })).toThrow(
    'a draft has none; leave it out, and publishPost gives it one',
  );
  const archived = { ...post, status: 'ARCHIVED' as const };
  for (const one of [archived, { ...archived, publishedAt: at }]) {
    const [made, row] = patterns.createPost({ post: one }).TransactItems.map(({ Put }) => Put?.Item);
    expect([made?.publishedAt, row?.publishedAt]).toEqual(
      [one, one].map((given) => ('publishedAt' in given ? at : undefined)),
    );
  }
});

test('a post is published with the time of it, and never without', () => {
  const values = { postId: 'p', authorId: 'a', subcategoryId: 's' };
  // @ts-expect-error: publishedAt is not given
  expect(() => patterns.publishPost(values)).toThrow('publishedAt');
});

test('a like is by who likes', () => {
  const steps = patterns.likePost({ userId: 'u', postId: 'p', createdAt: at }).TransactItems;
  expect(steps[1]?.Put?.Item).toMatchObject({ userId: 'u', authorId: 'u', GSI2PK: 'AUTHOR#u' });
});
