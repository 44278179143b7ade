import type { CodeBlock } from './code-blocks.ts'

/** A file of a project that a page shows whole. */
export interface DocumentedFile {
  readonly page: string
  readonly path: string
  readonly text: string
}

/** What pages leave out, since it stands on others, by the files that take it. */
const stand: Readonly<Record<string, string>> = {
  'configs/manifest.ts': `import { databaseScope, keyScope } from 'framework'
import { redisScope } from 'framework/redis'
import { sessionScope } from 'framework/sessions'
export const configs = { database: databaseScope, key: keyScope, redis: redisScope, session: sessionScope }
export type Configs = typeof configs`,
  'routes/manifest.ts': `import { ObservabilityRoutes } from 'framework/http'
export const manifest = [ObservabilityRoutes]`,
  'services.ts': 'export const services = () => ({})',
}

/**
 * The files in blocks that nothing runs: each begins with a comment that names it. Those without an
 * import are shown in part only, and left out; so are those of guides that a test follows.
 */
export function documentedFiles(blocks: readonly CodeBlock[]): DocumentedFile[] {
  const found = blocks
    .filter(({ label, page }) => label === '' && !page.endsWith('/getting-started.md'))
    .flatMap(({ page, code }) =>
      [...`\n${code}`.matchAll(/\n\/\/ ([\w./-]+\.ts)\n([^]*?)(?=\n\/\/ [\w./-]+\.ts\n|$)/g)].map(
        ([, path = '', text = '']) => ({ page, path, text }),
      ),
    )
  return found.filter(({ text }) => text.startsWith('import '))
}

/** The files of a page, and those that they need and the page does not have. */
export function completed(files: readonly DocumentedFile[]): ReadonlyMap<string, string> {
  const all = new Map(Object.entries(stand))
  for (const { path, text } of files) all.set(path, text)
  return all
}
