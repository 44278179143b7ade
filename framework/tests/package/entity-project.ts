import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCompiler } from './compile-consumer.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

/**
 * Writes the declarations of the framework that a project with entities sees, without checking them.
 * Returns the compiler's output, empty if all went well.
 */
export function writeDeclarations(folder: string): string {
  const settings = {
    extends: join(repository, 'framework', 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: join(repository, 'framework', 'src'),
      outDir: folder,
      emitDeclarationOnly: true,
      sourceMap: false,
      inlineSources: false,
      noCheck: true,
      typeRoots: [join(repository, 'node_modules', '@types')],
    },
    include: [],
    files: entries.map((name) => join(repository, 'framework', 'src', 'public', `${name}.ts`)),
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  return runCompiler(folder)
}

const entries = ['database', 'orm']

/**
 * Writes a project with this many entities into a folder: each in a module of its own, with columns of
 * all kinds and relations to others in both directions, and a module that reads and writes its rows as
 * the routes of a project do. `declarations` is the folder of `writeDeclarations`.
 */
export function writeEntityProject(folder: string, declarations: string, entities: number): void {
  mkdirSync(join(folder, 'entities'), { recursive: true })
  mkdirSync(join(folder, 'routes'), { recursive: true })
  const settings = {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: {
      declaration: false,
      isolatedDeclarations: false,
      typeRoots: [join(repository, 'node_modules', '@types')],
      paths: Object.fromEntries(
        entries.map((name) => [
          `framework/${name}`,
          [join(declarations, 'public', `${name}.d.ts`)],
        ]),
      ),
    },
    include: ['.'],
    exclude: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (let at = 0; at < entities; at += 1) {
    writeFileSync(join(folder, 'entities', `e${at}.ts`), entityModule(at, entities))
    writeFileSync(join(folder, 'routes', `r${at}.ts`), routeModule(at))
  }
}

function entityModule(at: number, entities: number): string {
  const parent = (at + 1) % entities
  const owner = (at + 7) % entities
  const child = (at + entities - 1) % entities
  const tag = (at + 3) % entities
  const others = [...new Set([parent, owner, child, tag])].filter((other) => other !== at)
  return `import {
  belongsTo, bigint, boolean, bytes, date, decimal, entity, enumeration, float, hasMany, integer, json, key,
  manyToMany, safeInteger, text, time, timestamp, uuid,
} from 'framework/orm'
${others.map((other) => `import { E${other} } from './e${other}.ts'`).join('\n')}

export const E${at} = entity('e${at}', {
  id: ${at % 2 === 0 ? 'key.integer()' : 'key.uuid()'},
  title: text(),
  slug: text().nullable(),
  state: enumeration(['draft', 'live', 'gone${at}']).optional(),
  views: integer().optional(),
  size: safeInteger(),
  serial: bigint().nullable(),
  price: decimal({ precision: 10, scale: 2 }),
  ratio: float().nullable(),
  isOpen: boolean(),
  code: uuid().nullable(),
  day: date(),
  opens: time().nullable(),
  extra: json<{ readonly words: readonly string[]; readonly at: ${at} }>(),
  icon: bytes().nullable(),
  madeAt: timestamp().optional(),
  get parent() {
    return belongsTo(() => E${parent})
  },
  get owner() {
    return belongsTo(() => E${owner}).nullable()
  },
  get children() {
    return hasMany(() => E${child}, 'parentId')
  },
  get tags() {
    return manyToMany(() => E${tag}, { through: 'e${at}_tags', source: 'e${at}_id', target: 'tag_id' })
  },
})
`
}

function routeModule(at: number): string {
  const key = at % 2 === 0 ? '1' : "'x'"
  return `import type { Database } from 'framework/database'
import { count, Matches, maximum, Operators, Orders, Pagination, Repository, sum } from 'framework/orm'
import { E${at} } from '../entities/e${at}.ts'

export async function r${at}(database: Database) {
  const rows = new Repository(E${at}, database)
  const listed = rows
    .select()
    .filter('state', Operators.In, ['draft', 'gone${at}'])
    .filter('price', Operators.Greater, '1.00')
    .filter('madeAt', Operators.Less, new Date())
    .match('title', Matches.Contains, 'x')
    .order(Orders.Desc, 'madeAt')
    .with({ parent: true, children: (some) => some.filter('isOpen', Operators.IsTrue).limit(3).with('owner') })
    .withCount('tags')
  const page = await rows.page(listed, new Pagination({ mode: 'cursor', limit: 10 }))
  const [first] = page.items
  const names: string | undefined = first?.children[0]?.owner?.title ?? first?.parent.title
  const some = await rows.all(rows.select().only('id', 'title', 'views').order(Orders.Asc, 'title'))
  const titles: readonly string[] = some.map(({ title }) => title)
  const row = await rows.find(${key})
  if (row === null) return { names, titles, count: first?.tagsCount }
  const { id: _, madeAt: __, ...copy } = row
  const made = await rows.insert({ ...copy, title: 'copy' })
  await rows.update(made.id, { state: 'gone${at}', slug: null, views: 3 })
  const total = await rows.count(rows.select().has('children', (some) => some.filter('size', Operators.Less, 5)))
  const groups = rows.select().groupBy('state').having(count(), Operators.Greater, 2)
  const [group] = await rows.aggregate(groups, { books: count(), price: sum('price'), newest: maximum('madeAt') })
  const sums: [string | null, Date | null] | null = group === undefined ? null : [group.price, group.newest]
  return { made, total, sums, extra: made.extra.at satisfies ${at} }
}
`
}
