import { defineOperation } from '../../../kernel/operation.ts';
import { Shape, Type } from '../../../kernel/schema.ts';
import { listMemberRows } from '../members/members.store.ts';
import { Member, presentMember } from '../members/members.schema.ts';
import { describeUsers } from '../users.store.ts';

export const listMembers = defineOperation({
  name: 'list_members',
  method: 'GET',
  path: '/members',
  scope: null,
  tag: 'members',
  summary: 'Lista las personas de la empresa con su papel.',
  description:
    'Responde todas las personas que tienen un papel en la empresa, de la más antigua a la más reciente.',
  transaction: 'read',
  acts_on: 'key_owner',
  callers: ['user'],
  mcp: false,
  output: Shape({ object: Type.Literal('list'), data: Type.Array(Member) }),
  errors: [],

  async handle({ tx, caller }) {
    const rows = await listMemberRows(tx, caller.owner_company_id);
    const users = await describeUsers(
      tx,
      rows.map(({ user_id }) => user_id),
    );
    return { object: 'list' as const, data: rows.map((row) => presentMember(row, users)) };
  },
});
