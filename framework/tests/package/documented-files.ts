import type { CodeBlock } from './code-blocks.ts'

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
  'services.ts': 'export const services = () => ({})',
}

/**
 * The files in blocks that are not run: each begins with a comment that names it. Those without an
 * import are partial and left out; so are those of pages that a test follows.
 */
export function documentedFiles(blocks: readonly CodeBlock[]): DocumentedFile[] {
  const found = blocks
    .filter(({ label, page }) => label === '' && !/\/(getting-started|tutorial)\.md$/.test(page))
    .flatMap(({ page, code }) =>
      [...`\n${code}`.matchAll(/\n\/\/ ([\w./-]+\.ts)\n([^]*?)(?=\n\/\/ [\w./-]+\.ts\n|$)/g)].map(
        ([, path = '', text = '']) => ({ page, path, text }),
      ),
    )
  return found.filter(({ text }) => text.startsWith('import '))
}

/** The files of a page, plus those they need that the page does not show. */
export function completed(files: readonly DocumentedFile[]): ReadonlyMap<string, string> {
  const all = new Map(Object.entries(stand))
  for (const { path, text } of files) all.set(path, text)
  return all
}
