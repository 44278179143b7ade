import { Views } from '../base/templates/views.ts'
import type { MailBody } from './raw-message.ts'

/** Options of `MailViews`. */
export interface MailViewsOptions {
  /** Recompile a view when its file has changed; for development. @default false */
  readonly reload?: boolean
  /** Folders that have what this one lacks. @default [] */
  readonly fallbacks?: readonly string[]
}

/** Suffix of view names that render the plain text of a mail. */
const TEXT_ENDING = '.text'

/**
 * Mail templates: `mails/verify` renders the HTML, `mails/verify.text` the plain text. One of the two
 * may be missing. In plain text `<%= … %>` does not escape values.
 */
export class MailViews {
  readonly #html: Views
  readonly #text: Views

  constructor(folder: string, options: MailViewsOptions = {}) {
    this.#html = new Views(folder, options)
    this.#text = new Views(folder, { ...options, plain: true })
  }

  /**
   * @throws InvalidArgumentException (E_VIEW_MISSING, E_VIEW_REFUSED)
   * @throws TemplateError when a template does not compile or fails
   */
  render(view: string, data: Readonly<Record<string, unknown>>): MailBody {
    const textView = `${view}${TEXT_ENDING}`
    const text = this.#text.has(textView) ? this.#text.render(textView, data) : null
    // When both are missing, this call throws and names the missing file.
    const html = text === null || this.#html.has(view) ? this.#html.render(view, data) : null
    return { text: text === null ? null : `${text.trim()}\n`, html }
  }
}
