import { ConfigurationError } from '../../base/errors.ts'

const allowed = /^[a-z0-9][a-z0-9._-]{0,99}$/
// npm rejects a package that depends on its own name, and reserves the other two.
const taken: ReadonlySet<string> = new Set(['framework', 'node_modules', 'favicon.ico'])

/** @throws ConfigurationError for an invalid package name. */
export function checkProjectName(name: string): string {
  if (allowed.test(name) && !taken.has(name)) return name
  throw new ConfigurationError(
    'E_NEW',
    `"${name}" is not a valid project name: use lower-case letters, digits, ".", "_" and "-", ` +
      `begin with a letter or digit, and avoid ${[...taken].join(', ')}; set it with --name`,
  )
}

/** A project name derived from the name of its folder. */
export function nameFromFolder(folder: string): string {
  const plain = folder
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
  const name = plain.replaceAll(/[^a-z0-9._-]+/g, '-').replaceAll(/^[._-]+|[._-]+$/g, '')
  return allowed.test(name) && !taken.has(name) ? name : 'app'
}
