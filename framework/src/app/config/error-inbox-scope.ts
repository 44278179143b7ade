import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAddress } from '../../services/mail/address.ts'
import { env } from './env.ts'
import { scope } from './scope.ts'
import type { ConfigScope, ValuesOf } from './scope.ts'
import type { Variable, VariableKind } from './variable.ts'

/** The settings of the error inbox. */
export type ErrorInboxScope = ConfigScope<{
  readonly release: Variable<string>
  readonly mail: Variable<string>
}>

/** The values of the scope `errors`. */
export type ErrorInboxValues = ValuesOf<ErrorInboxScope>

/** Releases are kept with errors; nobody needs longer names. */
const maxRelease = 100

const releaseName: VariableKind<string> = {
  expects: `up to ${maxRelease} visible characters, such as 1.4.2 or a commit`,
  acceptsEmpty: true,
  parse: (text) => (/^[\x21-\x7e]*$/.test(text) && text.length <= maxRelease ? text : undefined),
}

const mailbox: VariableKind<string> = {
  expects: 'a mailbox such as ops@example.org, or nothing',
  acceptsEmpty: true,
  parse(text) {
    if (text === '') return text
    try {
      parseAddress('ERRORS_MAIL', text)
      return text
    } catch {
      return undefined
    }
  },
}

/** The scope `errors`: the release that runs, and who is told when a resolved error comes back. */
export const errorInboxScope: ErrorInboxScope = scope('errors', {
  release: env.custom('APP_RELEASE', releaseName, {
    default: '',
    meaning: 'release that runs; by default the version in package.json',
  }),
  mail: env.custom('ERRORS_MAIL', mailbox, {
    default: '',
    meaning: 'address that gets a mail when a resolved error comes back; empty for none',
  }),
})

/** The release that runs: the given one, else the version in the project's package.json, else empty. */
export function projectRelease(given: string, root: string): string {
  if (given !== '') return given
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const version: unknown =
      typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : ''
    return typeof version === 'string' ? (releaseName.parse(version) ?? '') : ''
  } catch {
    // A project needs no package.json.
    return ''
  }
}
