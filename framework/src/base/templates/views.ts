import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { escapeHtml } from '../encoding/escape-html.ts'
import { InvalidArgumentException, invalidArgument } from '../errors.ts'
import { nearNames } from './near-names.ts'
import { Template } from './template.ts'
import type { Blocks, TemplateRuntime } from './template.ts'
import { TemplateError } from './template-error.ts'
import { TemplateFolder, VIEW_ENDING, viewName } from './template-folder.ts'

/** Options of `Views`. */
export interface ViewsOptions {
  /** Recompile a view when its file has changed; for development. @default false */
  readonly reload?: boolean
  /** Values in `it` of every template; the data of a render takes precedence. */
  readonly globals?: Readonly<Record<string, unknown>>
  /**
   * The templates render plain text, such as mails: `<%= … %>` does not escape, and a line break
   * after it is kept. @default false
   */
  readonly plain?: boolean
  /** Makes a text that `<%= … %>` prints safe. @default that of HTML; nothing with `plain` */
  readonly escape?: (text: string) => string
  /** Folders that have what this one lacks, such as those of a package; the first that has it counts. @default [] */
  readonly fallbacks?: readonly string[]
}

/** Finds the URL of an asset by its name; null if there is none. */
export type FindAsset = (name: string) => string | null

/**
 * The templates of a folder, by name: `errors/404` is `<folder>/errors/404.template.html`. What the folder
 * lacks may be in another one. Without `reload`, each file is read and compiled once.
 */
export class Views {
  readonly folder: string
  readonly #own: TemplateFolder
  readonly #folders: readonly TemplateFolder[]
  readonly #reload: boolean
  readonly #plain: boolean
  readonly #globals: Readonly<Record<string, unknown>>
  readonly #templates = new Map<string, Template>()
  readonly #stamps = new Map<string, string>()
  readonly #findAssets: FindAsset[] = []
  readonly #runtime: TemplateRuntime

  constructor(folder: string, options: ViewsOptions = {}) {
    const { reload = false, globals = {}, plain = false, fallbacks = [] } = options
    this.#own = new TemplateFolder(folder, !reload)
    this.#folders = [this.#own, ...fallbacks.map((other) => new TemplateFolder(other, !reload))]
    this.folder = this.#own.root
    this.#reload = reload
    this.#plain = plain
    this.#globals = { ...globals }
    this.#runtime = {
      escape: options.escape ?? (plain ? (text) => text : escapeHtml),
      asset: (name) => this.asset(String(name)),
      include: (from, name, it, blocks) => this.#include(from, name, it, blocks),
    }
  }

  /**
   * Renders a view; the template sees the values as `it`, of one name the last.
   * @throws InvalidArgumentException (E_VIEW_MISSING, E_VIEW_REFUSED)
   * @throws TemplateError when a template does not compile or fails
   */
  render(
    name: string,
    ...values: readonly (Readonly<Record<string, unknown>> | undefined)[]
  ): string {
    return this.#template(name).render(Object.assign({}, this.#globals, ...values), this.#runtime)
  }

  /** Whether the view exists; false for an invalid name. */
  has(name: string): boolean {
    try {
      return this.#locate(viewName(name)) !== null
    } catch (error) {
      if (error instanceof InvalidArgumentException) return false
      throw error
    }
  }

  /**
   * Compiles the named views, or all views of the folder itself, and checks that views included by a literal
   * name exist, so that broken views are found at start.
   * @throws what `render` throws, for the first broken view
   */
  check(names: readonly string[] = this.#own.names()): void {
    for (const template of names.map((name) => this.#template(name))) {
      checkNames(template, 'references', (name) => this.#template(viewName(name, template.name)))
    }
  }

  /**
   * Checks that views name only these routes in `route()`, where they do so literally.
   * @throws TemplateError for the first that does not.
   */
  checkRoutes(routes: readonly string[]): void {
    for (const view of this.#own.names()) {
      checkNames(this.#template(view), 'routes', (name) => {
        if (routes.includes(name)) return
        const near = nearNames(name, routes).map((known) => `'${known}'`)
        const hint = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`
        throw invalidArgument(`there is no route named '${name}'${hint}`)
      })
    }
  }

  /**
   * Checks that there is a message for each key that views pass literally to `t()`.
   * @throws TemplateError for the first without one.
   */
  checkMessages(exists: (key: string) => boolean): void {
    for (const view of this.#own.names()) {
      checkNames(this.#template(view), 'messages', (name) => {
        if (!exists(name)) throw invalidArgument(`there is no message '${name}' in any language`)
      })
    }
  }

  /** Adds assets for `asset(name)` in templates; what was added first is asked first. */
  addAssets(find: FindAsset): void {
    this.#findAssets.push(find)
  }

  /**
   * The URL that `asset(name)` prints in a template; without any assets the name with a slash.
   * @throws InvalidArgumentException (E_ASSET) if nothing has that name
   */
  asset(name: string): string {
    if (this.#findAssets.length === 0) return `/${name}`
    for (const find of this.#findAssets) {
      const url = find(name)
      if (url !== null) return url
    }
    throw new InvalidArgumentException(
      'E_ASSET',
      `there is no asset '${name}': expected a file of that name in the folder of static files, such as public/${name}`,
    )
  }

  /**
   * Checks that the assets exist which the templates compiled so far name literally.
   * @throws TemplateError for the first one that does not
   */
  checkAssets(): void {
    for (const template of this.#templates.values()) {
      checkNames(template, 'assets', (name) => this.asset(name))
    }
  }

  #include(from: Template, name: unknown, it: object, blocks: Blocks | undefined): string {
    const linked = this.#reload ? undefined : from.links.get(name)
    if (linked !== undefined) return linked.render(it, this.#runtime, blocks)
    const template = this.#template(viewName(name, from.name))
    from.links.set(name, template)
    return template.render(it, this.#runtime, blocks)
  }

  #template(name: string): Template {
    const known = this.#templates.get(name)
    if (known !== undefined && !this.#reload) return known
    const file = this.#locate(viewName(name))
    if (file === null) throw this.#missing(name)
    const stamp = this.#reload ? stampOf(file) : ''
    if (known !== undefined && this.#stamps.get(name) === stamp) return known
    const source = readFileSync(file, 'utf8')
    const label = `${basename(this.folder)}/${name}${VIEW_ENDING}`
    const template = new Template({ name, file, label, source, plain: this.#plain })
    this.#templates.set(name, template)
    this.#stamps.set(name, stamp)
    return template
  }

  #locate(name: string): string | null {
    for (const folder of this.#folders) {
      const file = folder.locate(name)
      if (file !== null) return file
    }
    return null
  }

  #missing(name: string): InvalidArgumentException {
    const near = nearNames(name, [...new Set(this.#folders.flatMap((folder) => folder.names()))])
    const hint =
      near.length === 0
        ? 'there is no view with a similar name'
        : `did you mean ${near.map((known) => `'${known}'`).join(', ')}?`
    return new InvalidArgumentException(
      'E_VIEW_MISSING',
      `there is no view '${name}': expected the file ${this.#own.pathOf(name)}; ${hint}`,
    )
  }
}

/** Checks what a template names literally; an error is one of the template, at the line of the name. */
function checkNames(
  template: Template,
  part: 'references' | 'routes' | 'assets' | 'messages',
  check: (name: string) => unknown,
): void {
  for (const { name, line } of template.code[part]) {
    try {
      check(name)
    } catch (error) {
      // Of a template that is included the error says more.
      if (error instanceof TemplateError) throw error
      throw template.failure('E_TEMPLATE_COMPILE', line, error)
    }
  }
}

function stampOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file)
  return `${mtimeMs} ${size} ${ino}`
}
