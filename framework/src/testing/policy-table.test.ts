import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyTable } from './policy-table.ts'

interface Member {
  readonly id: string
  readonly isAdmin: boolean
}
const people = {
  owner: { id: '1', isAdmin: false },
  admin: { id: '2', isAdmin: true },
  stranger: { id: '3', isAdmin: false },
}
const note = { owner: '1' }
const mayRead = (): boolean => true
const mayEdit = async ({ id }: Member, { owner }: { readonly owner: string }): Promise<boolean> =>
  id === owner
const mayDelete = (member: Member, { owner }: { readonly owner: string }): boolean =>
  member.isAdmin || member.id === owner

test('a table that is right passes', async () => {
  await policyTable(people, note, [
    [mayRead, ['owner', 'admin', 'stranger']],
    [mayEdit, ['owner']],
    [mayDelete, ['owner', 'admin']],
  ])
})

test('each wrong answer is named, those that are allowed too much as well', async () => {
  const walk = policyTable(people, note, [
    [mayRead, ['owner']],
    [mayEdit, ['owner', 'admin']],
  ])
  await assert.rejects(walk, {
    name: 'AssertionError',
    message: 'mayRead allows admin\nmayRead allows stranger\nmayEdit refuses admin',
  })
})
