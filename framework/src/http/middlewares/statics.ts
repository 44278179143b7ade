import { realpathSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Environments } from '../../settings/environments.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { Assets, parseFingerprint } from '../response/assets.ts'
import type { Request } from '../request/request.ts'
import { contentTypeOf } from '../response/content-type.ts'
import type { FileOptions } from '../response/file.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'
import { HttpError } from '../errors/http-error.ts'
import { chooseEncodings } from './accept-encoding.ts'
import type { Encoding } from './accept-encoding.ts'
import { isCompressible } from './compression.ts'

/** Options of `Statics`. */
export interface StaticsOptions {
  /**
   * Path under which the folder is served, such as `/assets`.
   * @default '/'
   */
  readonly prefix?: string
  /**
   * `max-age` in seconds.
   * @default 0
   */
  readonly maxAge?: number
  /**
   * Promises that files never change under their names, so caches never revalidate them.
   * @default false
   */
  readonly immutable?: boolean
  /**
   * Whether to serve names that begin with a dot.
   * @default false
   */
  readonly dotfiles?: boolean
  /**
   * File served for a folder.
   * @default 'index.html'
   */
  readonly index?: string
  /**
   * Whether to send `app.js.br`, `.zst` or `.gz` instead of `app.js` to clients that accept it.
   * @default false
   */
  readonly precompressed?: boolean
}

const extensions: Readonly<Record<Encoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' }
const offers: readonly Encoding[] = ['br', 'zstd', 'gzip']

/** For how long, in production, a path counts as no file without another look, and how many such paths are kept. */
const missMs = 1_000
const maxMisses = 1_000

type Caching = Pick<FileOptions, 'maxAge' | 'immutable'>

/**
 * Serves the files of a folder for GET and HEAD; other requests go on to the routes. Files outside the
 * folder are never served, not even through symbolic links. A file takes precedence over a route with
 * the same path; use a prefix to keep them apart. The URLs that `asset('app.css')` returns in views have
 * a fingerprint of the file, so that browsers keep it for a year.
 */
export class Statics implements MiddlewareObject {
  readonly #folder: string
  readonly #prefix: string
  readonly #options: Required<Omit<StaticsOptions, 'prefix'>>
  #assets: Assets
  /** When to look again whether there is a file at a path, by path; null for always. */
  #misses: Map<string, number> | null = null

  /** @throws ConfigurationError if the folder does not exist. */
  constructor(folder: string, options: StaticsOptions = {}) {
    const { prefix = '/', maxAge = 0, immutable = false, dotfiles = false } = options
    const { index = 'index.html', precompressed = false } = options
    this.#folder = realFolder(folder)
    this.#prefix = prefix.endsWith('/') ? prefix : `${prefix}/`
    this.#options = { maxAge, immutable, dotfiles, index, precompressed }
    this.#assets = this.#openAssets(false)
  }

  attach({ environment, views }: ServerHost): void {
    this.#assets = this.#openAssets(environment === Environments.Development)
    this.#misses = environment === Environments.Production ? new Map() : null
    views?.addAssets((name) => this.#assets.url(name))
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const { method, path } = request
    if (method !== 'GET' && method !== 'HEAD') return next()
    // Most requests are for routes: the file system need not be asked about each of them.
    if ((this.#misses?.get(path) ?? 0) > performance.now()) return next()
    const relative = staticPath(path, this.#prefix, this.#options.dotfiles)
    if (relative === null) return next()
    const file = join(this.#folder, relative)
    const stats = statOf(file)
    if (stats === undefined) return this.#fingerprinted(relative, request, response, next)
    if (stats.isFile()) return this.#serve(file, request, response, next)
    const index = join(file, this.#options.index)
    if (!stats.isDirectory() || statOf(index)?.isFile() !== true) return this.#miss(path, next)
    // Without the slash, relative links on the page would resolve one folder too high.
    const withSlash = `${path}/${request.URI.slice(path.length)}`
    if (!path.endsWith('/')) return response.redirect(withSlash, { status: 301 })
    return this.#serve(index, request, response, next)
  }

  #fingerprinted(
    relative: string,
    request: Request,
    response: Response,
    next: Next,
  ): Response | Promise<Response> {
    const parsed = parseFingerprint(relative)
    if (parsed === null) return this.#miss(request.path, next)
    const file = join(this.#folder, parsed.name)
    const stats = statOf(file)
    if (stats?.isFile() !== true) return this.#miss(request.path, next)
    // A page from before a deploy gets the file of today. No cache may keep that under the old name: on
    // another machine, or after a rollback, the name can be right again.
    const isCurrent = this.#assets.isCurrent(parsed, stats)
    const caching: Caching = isCurrent ? { immutable: true } : { maxAge: 0 }
    return this.#serve(file, request, response, next, caching)
  }

  #miss(path: string, next: Next): Response | Promise<Response> {
    if (this.#misses !== null) {
      if (this.#misses.size >= maxMisses) this.#misses.clear()
      this.#misses.set(path, performance.now() + missMs)
    }
    return next()
  }

  #openAssets(reload: boolean): Assets {
    return new Assets({ folder: this.#folder, prefix: this.#prefix, reload })
  }

  async #serve(
    file: string,
    request: Request,
    response: Response,
    next: Next,
    caching: Caching = this.#options,
  ): Promise<Response> {
    const real = await this.#inside(file)
    if (real === null) return next()
    const type = contentTypeOf(file)
    const { maxAge, immutable } = caching
    const options = {
      type,
      dotfiles: this.#options.dotfiles,
      ...(maxAge !== undefined && { maxAge }),
      ...(immutable !== undefined && { immutable }),
    }
    if (!this.#options.precompressed || !isCompressible(type)) return response.file(real, options)
    response.vary('Accept-Encoding')
    const accept = request.header('accept-encoding')
    for (const encoding of chooseEncodings(accept, offers).encodings) {
      const sibling = `${file}${extensions[encoding]}`
      const found = statOf(sibling)?.isFile() === true ? await this.#inside(sibling) : null
      if (found === null) continue
      await response.file(found, options)
      return response.header('Content-Encoding', encoding)
    }
    return response.file(real, options)
  }

  // Symbolic links are resolved last, and the resolved path is what gets opened.
  async #inside(file: string): Promise<string | null> {
    const real = await realpath(file).catch(() => null)
    if (real === null || !real.startsWith(this.#folder + sep)) return null
    return !this.#options.dotfiles && isHidden(real.slice(this.#folder.length + 1)) ? null : real
  }
}

// Synchronous because it is faster: two microseconds from the kernel's cache, against thirty for the
// thread pool and an exception. Most requests are not for files.
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // The name is too long, links form a loop, or access is denied.
    return undefined
  }
}

function realFolder(folder: string): string {
  const stats = statOf(folder)
  if (stats?.isDirectory() === true) return realpathSync(folder)
  throw new ConfigurationError(
    'E_STATICS',
    `the folder "${folder}" of static files does not exist; create it or correct the path`,
  )
}

/** Encoded separators and NUL, which could let a name reach into another folder. */
const encodedSeparator = /%(?:2f|5c|00)/i
const forbidden = /[\\\p{Cc}]|\/\//u
const relativeSegment = /(?:^|\/)\.{1,2}(?:\/|$)/
const hiddenSegment = /(?:^|\/)\./

/**
 * The relative file path for a request path, decoded once and without a leading slash; null if it must
 * not be served: with `..`, dotfiles, or characters that could be read in two ways.
 * @throws HttpError 400 for invalid percent-encoding.
 */
export function staticPath(path: string, prefix: string, dotfiles: boolean): string | null {
  if (!path.startsWith(prefix) || encodedSeparator.test(path)) return null
  const relative = decode(path.slice(prefix.length))
  if (relative.startsWith('/') || forbidden.test(relative)) return null
  const forbiddenSegment = dotfiles ? relativeSegment : hiddenSegment
  return forbiddenSegment.test(relative) ? null : relative
}

/** Whether a segment of a relative path begins with a dot. */
export function isHidden(relative: string): boolean {
  return hiddenSegment.test(relative)
}

function decode(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    throw new HttpError(400, 'the percent-encoding of the path is invalid', { cause })
  }
}
