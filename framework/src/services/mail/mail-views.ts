import { Views } from '../../base/templates/views.ts'
import type { MailBody } from './compose-letter.ts'

/** How a folder of mail views is used. */
export interface MailViewsOptions {
  /** Look at the files on every render; for development. */
  readonly reload?: boolean
}

/** What the name of a view has in addition when it renders the text of a mail. */
const TEXT_ENDING = '.text'

/**
 * The templates of mails: `mails/verify` renders the HTML, `mails/verify.text` beside it the text.
 * One of the two may be absent. In texts `<%= … %>` prints values as they are.
 */
export class MailViews {
  readonly #html: Views
  readonly #text: Views

  constructor(folder: string, { reload = false }: MailViewsOptions = {}) {
    this.#html = new Views(folder, { reload })
    this.#text = new Views(folder, { reload, plain: true })
  }

  /**
   * @throws InvalidArgumentException (E_VIEW_MISSING, E_VIEW_REFUSED)
   * @throws TemplateError when a template does not compile or fails
   */
  render(view: string, data: Readonly<Record<string, unknown>>): MailBody {
    const textView = `${view}${TEXT_ENDING}`
    const text = this.#text.has(textView) ? this.#text.render(textView, data) : null
    // Without either of them it is this call that says what was looked for.
    const html = text === null || this.#html.has(view) ? this.#html.render(view, data) : null
    return { text: text === null ? null : `${text.trim()}\n`, html }
  }
}
