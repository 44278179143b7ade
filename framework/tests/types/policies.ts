// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { allow, allowFor } from '../../src/public/auth.ts'
import { Server } from '../../src/public/http.ts'
import { entity, key, text } from '../../src/public/orm.ts'
import type { Repository } from '../../src/public/orm.ts'
import { policyTable } from '../../src/public/testing.ts'

interface Member {
  readonly id: string
  readonly role: 'admin' | 'reader'
}
interface Note {
  readonly owner: string
}
declare function findMember(id: string): Promise<Member | null>
declare function findNote(id: string): Promise<Note | null>

const mayEdit = ({ id }: { readonly id: string }, { owner }: Note): boolean => id === owner
const isAdmin = ({ role }: Member): boolean => role === 'admin'
const members = allowFor(({ id }) => findMember(id))
const { router } = new Server()

// The record comes back without null, and with its own type.
router.get('/notes/:id', async (request) => {
  const note = await allow(request, mayEdit, await findNote(request.params.id))
  return note.owner.toUpperCase()
})
router.get('/a', () => '', { middlewares: [members(isAdmin)] })
router.get('/b', () => '', {
  middlewares: [allow(mayEdit, { record: ({ params }) => findNote(String(params['id'])) })],
})

// With a member and a record, and with an answer that takes a moment.
const mayRead = async ({ role }: Member, { owner }: Note): Promise<boolean> =>
  role === 'admin' || owner === ''
members(mayRead, { record: () => findNote('1'), private: true })

// @ts-expect-error this policy looks at a record, which nobody loads
members(mayRead)
// @ts-expect-error the record is of another type
members(mayRead, { record: async () => ({ title: 'x' }) })
// @ts-expect-error this policy is about a member, and the account is none
allow(mayRead, { record: () => findNote('1') })
// @ts-expect-error the promise of something else than a boolean
allow(async () => 'yes')

// @ts-expect-error an account has no role; allowFor() finds who has
allow(isAdmin)

// @ts-expect-error this policy looks at a record, which nobody loads
allow(mayEdit)

// @ts-expect-error the record is of another type
allow(mayEdit, { record: () => ({ title: 'x' }) })

// @ts-expect-error a policy returns a boolean
allow(() => 'yes')

router.get('/c', async (request) => {
  // @ts-expect-error this policy looks at a record
  allow(request, mayEdit)
  // @ts-expect-error the record is of another type
  await allow(request, mayEdit, { title: 'x' })
  const note = await allow(request, mayEdit, await findNote('1'))
  // @ts-expect-error the record has no such column
  return note.title
})

const people = { ada: { id: '1', role: 'admin' }, bob: { id: '2', role: 'reader' } } as const
await policyTable(people, { owner: '1' }, [
  [mayEdit, ['ada']],
  [isAdmin, ['ada']],
])
// @ts-expect-error nobody has this name
await policyTable(people, { owner: '1' }, [[mayEdit, ['eve']]])
// @ts-expect-error nobody of them has a role
await policyTable({ ada: { id: '1' } }, { owner: '1' }, [[isAdmin, ['ada']]])
// @ts-expect-error the record is of another type
await policyTable(people, { title: 'x' }, [[mayEdit, ['ada']]])

// The rows of a repository, as the guide shows it.
const Members = entity('members', { id: key.integer(), role: text() })
declare const rows: Repository<typeof Members>
const allowRow = allowFor(({ id }) => rows.find(Number(id)))
const isEditor = ({ role }: { readonly role: string }): boolean => role === 'editor'
router.post('/articles', () => '', { middlewares: [allowRow(isEditor)] })
// @ts-expect-error the row has no such column
allowRow(({ rank }: { readonly rank: string }) => rank === 'editor')
// One that is there at once, and one that may be missing.
allowFor(({ id }) => new Map([['1', { role: 'editor' }]]).get(id))(isEditor)
