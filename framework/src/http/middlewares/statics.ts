import { realpathSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { contentTypeOf } from '../../base/files/content-type.ts'
import { Environments } from '../../settings/environments.ts'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { Assets, parseFingerprint } from '../response/assets.ts'
import type { Request } from '../request/request.ts'
import { KeptFiles, fileResponse, keptResponse, stampOf } from '../response/file.ts'
import type { FileOptions, FileResponse } from '../response/file.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'
import { HttpError } from '../errors/http-error.ts'
import { chooseEncodings } from './accept-encoding.ts'
import type { Encoding } from './accept-encoding.ts'
import { isCompressible, keepForms } from './compression.ts'

/** Options of `Statics`. */
export interface StaticsOptions {
  /** Path under which the folder is served, such as `/assets`. @default '/' */
  readonly prefix?: string
  /** `max-age` in seconds. @default 0 */
  readonly maxAge?: number
  /**
   * Promises that files never change under their names, so caches never revalidate them.
   * @default false
   */
  readonly immutable?: boolean
  /** Whether to serve names that begin with a dot. @default false */
  readonly dotfiles?: boolean
  /** File served for a folder. @default 'index.html' */
  readonly index?: string
  /**
   * Whether to send `app.js.br`, `.zst` or `.gz` instead of `app.js` to clients that accept it.
   * @default false
   */
  readonly precompressed?: boolean
}

const extensions: Readonly<Record<Encoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' }
const offers: readonly Encoding[] = ['br', 'zstd', 'gzip']

/** For how long, in production, nobody looks again what is at a path, and of how many paths that is known. */
const lookMs = 1_000
const maxKnown = 1_000

type Caching = Pick<FileOptions, 'maxAge' | 'immutable'>

/** A file, or its sibling in another encoding, as it was when somebody looked. */
interface Look {
  readonly path: string
  readonly stamp: string
  readonly encoding: Encoding | null
}

/** A file to send. */
interface Found extends Look {
  readonly options: FileOptions
  /** Whether other clients get a sibling of it. */
  readonly varies: boolean
}

/** What was at a path, null for no file, and when to look again. */
interface Known {
  readonly found: Found | null
  readonly untilMs: number
}

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
  /** Null for a look with each request. */
  #known: RecentTexts<Known> | null = null
  #files: KeptFiles | null = null

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
    const isProduction = environment === Environments.Production
    this.#known = isProduction ? new RecentTexts(maxKnown) : null
    this.#files = isProduction ? new KeptFiles() : null
    views?.addAssets((name) => this.#assets.url(name))
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const { method, path } = request
    if (method !== 'GET' && method !== 'HEAD') return next()
    // Most requests are for routes, most others for the same few files: the file system need not be asked
    // about each of them.
    const known = this.#known?.get(this.#keyOf(request))
    if (known !== undefined && known.untilMs > performance.now()) {
      if (known.found === null) return next()
      const file = this.#files?.get(known.found.path)
      // Another path to the file may have seen a change: then a fingerprint in this one is wrong.
      if (file?.stamp === known.found.stamp)
        return send(response, keptResponse(file, request, known.found.options), known.found)
    }
    const relative = staticPath(path, this.#prefix, this.#options.dotfiles)
    if (relative === null) return next()
    const file = join(this.#folder, relative)
    const stats = statOf(file)
    if (stats === undefined) return this.#fingerprinted(relative, request, response, next)
    if (stats.isFile()) return this.#serve(file, stats, request, response, next)
    const index = join(file, this.#options.index)
    const indexStats = stats.isDirectory() ? statOf(index) : undefined
    if (indexStats?.isFile() !== true) return this.#miss(request, next)
    // Without the slash, relative links on the page would resolve one folder too high.
    const withSlash = `${path}/${request.URI.slice(path.length)}`
    if (!path.endsWith('/')) return response.redirect(withSlash, { status: 301 })
    return this.#serve(index, indexStats, request, response, next)
  }

  #fingerprinted(
    relative: string,
    request: Request,
    response: Response,
    next: Next,
  ): Response | Promise<Response> {
    const parsed = parseFingerprint(relative)
    if (parsed === null) return this.#miss(request, next)
    const file = join(this.#folder, parsed.name)
    const stats = statOf(file)
    if (stats?.isFile() !== true) return this.#miss(request, next)
    // A page from before a deploy gets the file of today. No cache may keep that under the old name: on
    // another machine, or after a rollback, the name can be right again.
    const isCurrent = this.#assets.isCurrent(parsed, stats)
    const caching: Caching = isCurrent ? { immutable: true } : { maxAge: 0 }
    return this.#serve(file, stats, request, response, next, caching)
  }

  #miss(request: Request, next: Next): Response | Promise<Response> {
    this.#remember(request, null)
    return next()
  }

  #remember(request: Request, found: Found | null): void {
    this.#known?.set(this.#keyOf(request), { found, untilMs: performance.now() + lookMs })
  }

  #keyOf(request: Request): string {
    const { path } = request
    return this.#options.precompressed ? `${path} ${request.header('accept-encoding')}` : path
  }

  #openAssets(reload: boolean): Assets {
    return new Assets({ folder: this.#folder, prefix: this.#prefix, reload })
  }

  async #serve(
    file: string,
    stats: Stats,
    request: Request,
    response: Response,
    next: Next,
    caching: Caching = this.#options,
  ): Promise<Response> {
    const real = await this.#inside(file)
    if (real === null) return next()
    const type = contentTypeOf(file)
    const options = { ...caching, type, dotfiles: this.#options.dotfiles }
    const varies = this.#options.precompressed && isCompressible(type)
    const sibling = varies ? await this.#sibling(file, request) : null
    const plain: Look = { path: real, stamp: stampOf(stats), encoding: null }
    const found: Found = { ...(sibling ?? plain), options, varies }
    const answer = await fileResponse(found.path, request, options, this.#files)
    const kept = this.#files?.get(found.path)
    if (kept?.stamp === found.stamp) {
      keepForms(kept.bytes)
      this.#remember(request, found)
    }
    return send(response, answer, found)
  }

  async #sibling(file: string, request: Request): Promise<Look | null> {
    const accept = request.header('accept-encoding')
    for (const encoding of chooseEncodings(accept, offers).encodings) {
      const sibling = `${file}${extensions[encoding]}`
      const stats = statOf(sibling)
      const path = stats?.isFile() === true ? await this.#inside(sibling) : null
      if (stats !== undefined && path !== null) return { path, stamp: stampOf(stats), encoding }
    }
    return null
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
function send(response: Response, file: FileResponse, { varies, encoding }: Found): Response {
  response.status(file.status)
  for (const [name, value] of file.headers) response.headers.set(name, value)
  response.replaceBody(file.body)
  if (varies) response.vary('Accept-Encoding')
  return encoding === null ? response : response.header('Content-Encoding', encoding)
}

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
