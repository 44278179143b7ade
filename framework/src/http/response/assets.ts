import { hash } from 'node:crypto'
import { realpathSync, statSync, readFileSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { join, sep } from 'node:path'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { stampOf } from './file.ts'

/** Larger files keep their names: to read them would stop the process for a moment. */
const maxBytes = 4_194_304

/** Views may ask for names that come from rows, one per upload; the bound keeps them out of memory. */
const maxKnown = 10_000

const unservable = /(?:^|\/)\.|\/\/|^\/|[\\\p{Cc}]/u

interface Known {
  readonly stamp: string
  /** Null for a file that keeps its name. */
  readonly fingerprint: string | null
  readonly url: string
}

interface AssetsOptions {
  /** The real path of the folder. */
  readonly folder: string
  /** Path under which it is served, with a slash at its end. */
  readonly prefix: string
  /** Whether to look for changed files each time a URL is asked for, in development. */
  readonly reload: boolean
}

/** A file name with a fingerprint, taken apart. */
interface FingerprintedName {
  /** Name of the file, without the fingerprint. */
  readonly name: string
  readonly fingerprint: string
}

/**
 * The URLs of the files of a folder, with fingerprints of their content. A file is read when its URL is
 * first asked for, and again when it has changed.
 */
export class Assets {
  readonly #options: AssetsOptions
  readonly #known = new RecentTexts<Known>(maxKnown)
  /** Names that another folder has, of which each page asks first here. */
  readonly #missing = new Set<string>()

  constructor(options: AssetsOptions) {
    this.#options = options
  }

  /** The URL of a file, such as `/app.3f9c….css` for `app.css`; null if the folder has no such file. */
  url(given: string): string | null {
    if (!this.#options.reload) {
      const known = this.#known.get(given)
      if (known !== undefined) return known.url
      if (this.#missing.has(given)) return null
    }
    // `icons.svg#user` names an element of a file.
    const ends = [given.indexOf('#'), given.indexOf('?')].filter((at) => at !== -1)
    const name = given.slice(0, Math.min(...ends, given.length))
    const found = (this.#options.reload ? undefined : this.#known.get(name)) ?? this.#find(name)
    if (found !== null) return found.url + given.slice(name.length)
    if (this.#missing.size < maxKnown) this.#missing.add(given)
    return null
  }

  /** Whether this is the fingerprint that the file has now. */
  isCurrent({ name, fingerprint }: FingerprintedName, stats: Stats): boolean {
    const known = this.#known.get(name)
    const current = known?.stamp === stampOf(stats) ? known : this.#find(name)
    return current?.fingerprint === fingerprint
  }

  #find(name: string): Known | null {
    if (name === '' || unservable.test(name)) return null
    const file = this.#inside(name)
    const stats = file === null ? undefined : statSync(file, { throwIfNoEntry: false })
    if (file === null || stats?.isFile() !== true) return null
    const stamp = stampOf(stats)
    const before = this.#known.get(name)
    if (before?.stamp === stamp) return before
    const digest = stats.size > maxBytes ? null : hash('sha256', readFileSync(file), 'hex')
    const fingerprint = digest?.slice(0, 12) ?? null
    const path = fingerprint === null ? name : addFingerprint(name, fingerprint)
    const url = this.#options.prefix + path.split('/').map(encodeURIComponent).join('/')
    return this.#known.set(name, { stamp, fingerprint, url })
  }

  #inside(name: string): string | null {
    try {
      const { folder } = this.#options
      const real = realpathSync(join(folder, name))
      return real.startsWith(folder + sep) ? real : null
    } catch {
      // Missing, or links that form a loop.
      return null
    }
  }
}

/** `app.css` with the fingerprint `3f9c…` is `app.3f9c….css`; the ending stays for its media type. */
export function addFingerprint(name: string, fingerprint: string): string {
  const [, stem = name, ending = ''] = /^(.*[^/])(\.[^./]+)$/.exec(name) ?? []
  return `${stem}.${fingerprint}${ending}`
}

const fingerprinted = /^(.*[^/])\.([0-9a-f]{12})(\.[^./]+)?$/

/** The parts of a name with a fingerprint; null for other names. */
export function parseFingerprint(name: string): FingerprintedName | null {
  const [, stem, fingerprint, ending = ''] = fingerprinted.exec(name) ?? []
  if (stem === undefined || fingerprint === undefined) return null
  return { name: `${stem}${ending}`, fingerprint }
}
