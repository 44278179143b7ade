import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Cleanup } from './cleanup.ts'

const frameworkFolder = join(import.meta.dirname, '..', '..')

/** A project folder with these files in which `framework` resolves, removed after the test. */
export function plantProject(t: Cleanup, files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'framework-project-')))
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(frameworkFolder, join(root, 'node_modules', 'framework'))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }\n')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}
