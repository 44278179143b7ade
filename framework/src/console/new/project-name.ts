import { ConfigurationError } from '../../base/errors.ts'

const allowed = /^[a-z0-9][a-z0-9._-]{0,99}$/
// npm refuses a package that depends on its own name, and keeps the other two for itself.
const taken: ReadonlySet<string> = new Set(['framework', 'node_modules', 'favicon.ico'])

/** @throws ConfigurationError for a name that npm would not take for a package. */
export function checkProjectName(name: string): string {
  if (allowed.test(name) && !taken.has(name)) return name
  throw new ConfigurationError(
    'E_NEW',
    `"${name}" cannot name a project: use small letters, digits, ".", "_" and "-", ` +
      `begin with a letter or digit, and not ${[...taken].join(', ')}; choose one with --name`,
  )
}

/** The name a project gets from its folder's. */
export function nameFromFolder(folder: string): string {
  const plain = folder
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
  const name = plain.replaceAll(/[^a-z0-9._-]+/g, '-').replaceAll(/^[._-]+|[._-]+$/g, '')
  return allowed.test(name) && !taken.has(name) ? name : 'app'
}
