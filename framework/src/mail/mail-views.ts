import { lateModule } from '../base/late-module.ts'
import { Views } from '../base/templates/views.ts'
import type * as HtmlText from './html-text.ts'
import type { MailBody } from './raw-message.ts'

// Only those who send mails parse HTML.
const loadHtmlText = lateModule<typeof HtmlText>(import.meta, './html-text')

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
 * Mail templates: `mails/verify` renders the HTML, of which the plain text is made. A template
 * `mails/verify.text` renders another text, or a mail without HTML; there `<%= … %>` does not escape values.
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
    if (!this.#text.has(textView)) {
      // When both are missing, this call throws and names the missing file.
      const html = this.#html.render(view, data)
      return { text: `${loadHtmlText().htmlText(html)}\n`, html }
    }
    const text = this.#text.render(textView, data)
    const html = this.#html.has(view) ? this.#html.render(view, data) : null
    return { text: `${text.trim()}\n`, html }
  }
}
