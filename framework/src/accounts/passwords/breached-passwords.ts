import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { hasCode } from '../../base/errors.ts'
import { toError } from '../../base/to-error.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { OutageReporter } from '../../errors/throwables/outage-reporter.ts'
import type { Logs } from '../../logs/logs.ts'
import { passwordBytes } from './password.ts'

/** Options of `BreachedPasswords`. */
export interface BreachedPasswordsOptions {
  /** Receives a warning on its channel `auth` when the source fails, at most one a minute. */
  readonly logs: Logs
  /** The folder that a relative one is in. @default the current folder */
  readonly root?: string
  /** Seconds that a response may take. @default 2 */
  readonly timeout?: number
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** Characters of the digest that name a range; the source learns no more. */
const prefixLength = 5
/** In bytes. Ranges have about 1,000 lines of 40. */
const maxRangeLength = 1_048_576

/**
 * Looks up passwords in known breaches, by ranges: the file or path `<the first five hexadecimal digits of
 * the SHA-1>` lists the other digits of every digest in it, as `SUFFIX:COUNT` lines. The source is a
 * folder of such files, or a URL that serves them.
 *
 * A source that fails blocks nobody from choosing a password: it is logged, and the password counts as
 * unknown.
 */
export class BreachedPasswords {
  readonly #read: (prefix: string, signal: AbortSignal) => Promise<string>
  readonly #timeoutMs: number
  readonly #outages: OutageReporter

  /** `source` is a URL that begins with `http://` or `https://`, or a folder. */
  constructor(source: string, options: BreachedPasswordsOptions) {
    const { logs, root = '.', timeout = 2, clock } = options
    const isUrl = /^https?:\/\//i.test(source)
    this.#read = isUrl ? rangeFromUrl(source) : rangeFromFolder(resolve(root, source))
    this.#timeoutMs = timeout * 1000
    const channel = logs.channel('auth')
    this.#outages = new OutageReporter(
      (error) => channel.warn('breached passwords are not checked', { reason: reasonOf(error) }),
      clock ?? epochSeconds,
    )
  }

  /** Whether a password is in a breach; false if the source does not say. Never rejects. */
  async has(password: string): Promise<boolean> {
    const bytes = passwordBytes(password)
    if (bytes === null) return false
    const digest = createHash('sha1').update(bytes).digest('hex').toUpperCase()
    try {
      const signal = AbortSignal.timeout(this.#timeoutMs)
      const range = await this.#read(digest.slice(0, prefixLength), signal)
      this.#outages.recovered()
      return isListed(range, digest.slice(prefixLength))
    } catch (error) {
      this.#outages.failed(error)
      return false
    }
  }
}

// The message of a system error may name the file, and with it the range of a password.
function reasonOf(thrown: unknown): string {
  const error = toError(thrown)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time'
  for (const one of [error, error.cause]) {
    if (one instanceof Error && 'code' in one && typeof one.code === 'string') return one.code
  }
  return error instanceof RangeFailure ? error.message : error.name
}

class RangeFailure extends Error {}

// A range may be padded with lines whose count is 0, so that its length reveals nothing.
function isListed(range: string, suffix: string): boolean {
  return range.split(/\r?\n/).some((line) => {
    const [listed = '', count = ''] = line.split(':')
    return listed.toUpperCase() === suffix && Number(count) > 0
  })
}

function rangeFromUrl(url: string) {
  const base = url.endsWith('/') ? url : `${url}/`
  return async (prefix: string, signal: AbortSignal): Promise<string> => {
    const headers = { 'Add-Padding': 'true' }
    const response = await fetch(base + prefix, { headers, signal, redirect: 'error' })
    if (!response.ok) {
      await response.body?.cancel()
      throw new RangeFailure(`the server responded with ${response.status}`)
    }
    return limitedText(response)
  }
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxRangeLength)
      throw new RangeFailure(`the range has more than ${maxRangeLength} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function rangeFromFolder(folder: string) {
  return async (prefix: string, signal: AbortSignal): Promise<string> => {
    for (const name of [prefix, `${prefix}.txt`]) {
      try {
        return await readFile(join(folder, name), { encoding: 'utf8', signal })
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error
      }
    }
    // The folder may lack ranges without a breach, but it must be there.
    await stat(folder)
    return ''
  }
}
