import { updatingBoth } from '../../../../lib/evolve/clients/both-names';

test('every clause of an update changes a renamed attribute under both names', () => {
  const input = {
    UpdateExpression: 'SET #0 = if_not_exists(#0, :0) + :1 REMOVE #1 ADD #2 :2 DELETE #3 :3',
    ExpressionAttributeNames: { '#0': 'likes', '#1': 'note', '#2': 'labels', '#3': 'marks' },
  };
  expect(updatingBoth(input, { tags: 'labels', pages: 'marks' })).toEqual({
    UpdateExpression: 'SET #0 = if_not_exists(#0, :0) + :1 REMOVE #1 ADD #2 :2, #2_old :2 DELETE #3 :3, #3_old :3',
    ExpressionAttributeNames: { ...input.ExpressionAttributeNames, '#2_old': 'tags', '#3_old': 'pages' },
  });
});
