import type { Choices } from './choices.ts'
import { kinds } from './kinds.ts'
import type { KindName } from './kinds.ts'

/** One column of a table. */
export interface ColumnSpec {
  readonly property: string
  /** Its name in SQL. */
  readonly name: string
  readonly kind: KindName
  readonly isNullable: boolean
}

/** One relation of a table. Of a link between two tables, each has one side. */
export interface RelationSpec {
  readonly name: string
  readonly kind: 'belongs-to' | 'has-many' | 'has-one' | 'many-to-many'
  readonly target: TableSpec
  /** The column that refers to the other table: on this side for `belongs-to`. */
  readonly property: string
  readonly isNullable: boolean
  readonly bridge: BridgeSpec | null
}

/** The join table of a relation, as one side sees it, and which keys it joins. */
export interface BridgeSpec {
  readonly through: string
  readonly source: string
  readonly target: string
  /** The kind of the key of this side. */
  readonly keyKind: KeyKind
  readonly pairs: readonly (readonly [source: unknown, target: unknown])[]
}

/** A row, by property. */
export type Row = Record<string, unknown>

/** A table with its rows. The key is `id`. */
export interface TableSpec {
  readonly name: string
  readonly keyKind: KeyKind
  readonly columns: ColumnSpec[]
  readonly relations: RelationSpec[]
  /** The property with the time when a row was deleted, if such rows stay. */
  readonly softDelete: string | null
  rows: Row[]
}

type KeyKind = 'integer' | 'bigint' | 'text' | 'uuid'

// Words that SQL reserves among them.
const properties = ['order', 'alphaOne', 'group', 'rank', 'value']
const keys: Readonly<Record<KeyKind, (index: number) => unknown>> = {
  integer: (index) => index * 3 - 4,
  bigint: (index) => 2n ** 53n - 2n + BigInt(index),
  uuid: (index) => `${(index * 7) % 10}19c1a2b-7c3d-7e4f-8a5b-6c7d8e9f0a1${index}`,
  text: (index) => ['b', 'B', 'a', 'a ', 'é', '', '\\', "'", '😀', '10', '9'][index],
}
/** The kinds of key columns: a key that is a number has 53 bits. */
export const keyColumn: Readonly<Record<KeyKind, KindName>> = {
  integer: 'safe-integer',
  bigint: 'bigint',
  text: 'text',
  uuid: 'uuid',
}
const missing: Readonly<Record<KeyKind, unknown>> = {
  integer: 999,
  bigint: 999n,
  text: 'gone',
  uuid: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
}
// Most columns are texts and numbers.
const likely: readonly KindName[] = ['text', 'integer', 'text', 'text']
const kindNames = [...Object.keys(kinds).filter(isKind), ...likely]
const maxRows = 9

/** Tables with random columns, relations and rows. Their names begin with the prefix. */
export function makeWorld(choices: Choices, prefix: string): readonly TableSpec[] {
  const tables = choices.list(2, 3, (index) =>
    makeTable(choices, `${prefix}_${'xyz'.charAt(index)}`),
  )
  const links = choices.list(1, 4, (index) => ({
    letter: 'ABCD'.charAt(index),
    kind: choices.pick(['many', 'bridge', 'one'] as const),
    from: choices.pick(tables),
    to: choices.pick(tables),
    isNullable: choices.chance(50),
  }))
  for (const link of links) {
    if (link.kind !== 'bridge') addColumnLink(choices, link)
  }
  dropOrphans(links)
  for (const link of links) {
    if (link.kind === 'bridge') addBridge(choices, prefix, link)
  }
  return tables
}

interface Link {
  readonly letter: string
  readonly kind: 'many' | 'bridge' | 'one'
  readonly from: TableSpec
  readonly to: TableSpec
  readonly isNullable: boolean
}

function makeTable(choices: Choices, name: string): TableSpec {
  const keyKind = choices.pick(['integer', 'bigint', 'text', 'uuid'] as const)
  const others = choices.some(properties, 5).map((property): ColumnSpec => ({
    property,
    name: snake(property),
    kind: choices.pick(kindNames),
    isNullable: choices.chance(60),
  }))
  const softDelete = choices.chance(30) ? 'goneAt' : null
  if (softDelete !== null) {
    others.push({ property: softDelete, name: 'gone_at', kind: 'timestamp', isNullable: true })
  }
  const columns: ColumnSpec[] = [
    { property: 'id', name: 'id', kind: keyColumn[keyKind], isNullable: false },
    ...others,
  ]
  const rows = choices.list(choices.chance(85) ? 4 : 0, maxRows, (index) => {
    const values = others.map(({ property, kind, isNullable }) => [
      property,
      isNullable && choices.chance(35) ? null : choices.pick(kinds[kind].pool),
    ])
    return Object.fromEntries([['id', keys[keyKind](index)], ...values])
  })
  return { name, keyKind, columns, relations: [], softDelete, rows }
}

/** The child holds the key of the parent; some keys that may be NULL lead nowhere. */
function addColumnLink(choices: Choices, link: Link): void {
  const { letter, from, to, kind } = link
  const isNullable = isLoose(link)
  const property = `up${letter}Id`
  from.columns.push({ property, name: snake(property), kind: keyColumn[to.keyKind], isNullable })
  const bridge = null
  from.relations.push({
    name: `up${letter}`,
    kind: 'belongs-to',
    target: to,
    property,
    isNullable,
    bridge,
  })
  const back = kind === 'one' ? 'has-one' : 'has-many'
  to.relations.push({
    name: `down${letter}`,
    kind: back,
    target: from,
    property,
    isNullable,
    bridge,
  })
  const taken = new Set<unknown>()
  for (const row of from.rows) {
    const chosen = to.rows.length === 0 ? undefined : choices.pick(to.rows)['id']
    const isFree = kind !== 'one' || !taken.has(chosen)
    const value = chosen !== undefined && isFree ? chosen : null
    taken.add(value)
    row[property] =
      isNullable && choices.chance(20) ? choices.pick([null, missing[to.keyKind]]) : value
    if (kind === 'one' && row[property] === missing[to.keyKind]) row[property] = null
  }
}

// Where a row may be missing: several would need the same one, or it may be deleted.
function isLoose({ isNullable, kind, to }: Link): boolean {
  return isNullable || kind === 'one' || to.softDelete !== null
}

// Rows that must refer to another but cannot, since there is none, do not exist.
function dropOrphans(links: readonly Link[]): void {
  for (const _ of links) {
    for (const link of links) {
      const { from, to, kind } = link
      if (kind !== 'bridge' && !isLoose(link) && to.rows.length === 0) from.rows = []
    }
  }
}

function addBridge(choices: Choices, prefix: string, { letter, from, to }: Link): void {
  const through = `${prefix}_bridge_${letter.toLowerCase()}`
  const pairs = from.rows.flatMap(({ id }) =>
    to.rows.flatMap((other) => (choices.chance(35) ? [[id, other['id']] as const] : [])),
  )
  const side = { kind: 'many-to-many', property: '', isNullable: false } as const
  from.relations.push({
    ...side,
    name: `far${letter}`,
    target: to,
    bridge: { through, source: 'from id', target: 'to id', keyKind: from.keyKind, pairs },
  })
  to.relations.push({
    ...side,
    name: `near${letter}`,
    target: from,
    bridge: {
      through,
      source: 'to id',
      target: 'from id',
      keyKind: to.keyKind,
      pairs: pairs.map(([one, other]) => [other, one] as const),
    },
  })
}

/** The rows of a table that are not deleted. */
export function visibleRows({ rows, softDelete }: TableSpec): readonly Row[] {
  return softDelete === null ? rows : rows.filter((row) => row[softDelete] === null)
}

/** The column of a property. */
export function columnOf({ columns, name }: TableSpec, property: string): ColumnSpec {
  const found = columns.find((column) => column.property === property)
  if (found === undefined) throw new TypeError(`${name} has no ${property}`)
  return found
}

function isKind(name: string): name is KindName {
  return Object.hasOwn(kinds, name)
}

/** The name of a property in SQL. */
export function snake(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
