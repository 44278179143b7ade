import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Cookbook {
  readonly entities: string
  readonly migration: string
  readonly repositories: string
  readonly recipes: readonly { readonly title: string; readonly code: string }[]
}

/** The blocks of the cookbook. */
export function cookbook(): Cookbook {
  const page = join(import.meta.dirname, '../../../docs/guides/cookbook.md')
  const [head = '', ...sections] = readFileSync(page, 'utf8').split(/^### /m)
  const [entities = '', migration = '', repositories = ''] = blocksOf(head)
  const recipes = sections.map((section) => {
    const [title = ''] = section.split('\n')
    return { title, code: blocksOf(section).join('\n') }
  })
  return { entities, migration, repositories, recipes }
}

/** A module with a function for each recipe of the cookbook, by title. */
export function cookbookProgram(): string {
  const { entities, repositories, recipes } = cookbook()
  const functions = recipes.map(
    ({ title, code }) => `${JSON.stringify(title)}: async () => {\n${code}\n},`,
  )
  return `${entities}
import type { Database } from 'framework/database'
export function cookbook(database: Database): Readonly<Record<string, () => Promise<void>>> {
${repositories}
return {
${functions.join('\n')}
} }
`
}

function blocksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
}
