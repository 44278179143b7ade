import type { CodeBlock } from './code-blocks.ts'
import { blockContexts } from './block-contexts.ts'
import { fileOf } from './run-block.ts'

/** A project file that a page shows in full. */
export interface DocumentedFile {
  readonly page: string
  readonly path: string
  readonly text: string
}

/** Files that pages import without showing them, by path. */
const stand: Readonly<Record<string, string>> = {
  'configs/manifest.ts': `import { databaseScope, keyScope } from 'framework'
import { redisScope } from 'framework/redis'
import { sessionScope } from 'framework/sessions'
export const configs = { database: databaseScope, key: keyScope, redis: redisScope, session: sessionScope }
export type Configs = typeof configs`,
  'routes/manifest.ts': `import { ObservabilityRoutes } from 'framework/http'
export const manifest = [ObservabilityRoutes]`,
  'services.ts':
    'export const services = () => ({})\nexport type Services = ReturnType<typeof services>',
  'project.ts': `import { defineProject } from 'framework'
export default defineProject({ name: 'shop', routes: [] })`,
}

/**
 * The files in blocks that are not run: each begins with a comment that names it. Those without an
 * import are partial, and fragments; those of pages that a test follows are left out.
 */
export function documentedFiles(blocks: readonly CodeBlock[]): DocumentedFile[] {
  return pieces(blocks).filter((piece) => isWhole(piece))
}

/**
 * Everything else in these blocks, as files with the line numbers of their page: what the page takes for
 * granted is declared on the first line.
 */
export function fragments(
  blocks: readonly CodeBlock[],
): readonly (readonly [path: string, text: string])[] {
  return pieces(blocks)
    .filter((piece) => !isWhole(piece))
    .map(({ page, line, text: code }) => {
      const [path, text] = fileOf({ page, line, label: '', code })
      const context = (blockContexts[page] ?? '').trim().split(/\n\s*/).join('; ')
      // Names of the context may be declared again inside of a function, and imports only outside.
      const isModule = /^(?:import|export) /m.test(code)
      return [path, isModule ? `${context};${text}` : `${context}; async () => {${text}\n}`]
    })
}

interface Piece extends DocumentedFile {
  readonly line: number
}

// A block may show several files; one that is not named has no path.
function pieces(blocks: readonly CodeBlock[]): Piece[] {
  return blocks
    .filter(({ label, page }) => label === '' && !followed.test(page))
    .flatMap(({ page, line, code }) => {
      const starts = [...code.matchAll(/^\/\/ ([\w./-]+\.ts)\n/gm)]
      if (starts[0]?.index !== 0) return [{ page, path: '', line, text: code }]
      return starts.map(({ index, 0: title, 1: path = '' }, at) => ({
        page,
        path,
        line: line + code.slice(0, index + title.length).split('\n').length - 1,
        text: code.slice(index + title.length, starts[at + 1]?.index),
      }))
    })
}

/** Pages that a test follows, and type-checks. */
const followed = /\/(?:getting-started|tutorial|cookbook)\.md$/

function isWhole({ path, text }: Piece): boolean {
  return path !== '' && text.startsWith('import ')
}

/** The files of a page, plus those they need that the page does not show. */
export function completed(files: readonly DocumentedFile[]): ReadonlyMap<string, string> {
  const all = new Map(Object.entries(stand))
  for (const { path, text } of files) all.set(path, text)
  return all
}
