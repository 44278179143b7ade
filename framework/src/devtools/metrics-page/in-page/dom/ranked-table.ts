/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, fillRows, setText, within } from '../../../in-page/dom/elements.ts'
import { nextSorting, shownText, topRows } from '../tables.ts'
import type { RankedRow, Sorting } from '../tables.ts'

const most = 20

/** A table that shows the first rows by the column whose header was clicked. */
export class RankedTable {
  readonly #section: HTMLElement
  readonly #template: string
  readonly #headers: readonly HTMLTableCellElement[]
  #sorting: Sorting
  #rows: readonly RankedRow[] = []

  /** `id` is that of the section; that of the template of its rows is `${id}-row`. */
  constructor(id: string, sorting: Sorting) {
    this.#section = byId(id, HTMLElement)
    this.#template = `${id}-row`
    this.#headers = [...this.#section.querySelectorAll<HTMLTableCellElement>('thead th')]
    this.#sorting = sorting
    for (const [column, header] of this.#headers.entries()) {
      within(header, 'button', HTMLButtonElement).addEventListener('click', () => {
        this.#sorting = nextSorting(this.#sorting, column)
        this.#draw()
      })
    }
  }

  /** Shows these rows; the section is hidden while there are none. */
  show(rows: readonly RankedRow[]): void {
    this.#rows = rows
    this.#section.hidden = rows.length === 0
    this.#draw()
  }

  #draw(): void {
    const { column, descending } = this.#sorting
    for (const [at, header] of this.#headers.entries()) {
      if (at === column) header.ariaSort = descending ? 'descending' : 'ascending'
      else header.removeAttribute('aria-sort')
    }
    const shown = topRows(this.#rows, this.#sorting, most)
    const texts = shown.map((row) => row.texts)
    fillRows(within(this.#section, 'tbody', HTMLTableSectionElement), texts, this.#template)
    const count = shownText(shown.length, this.#rows.length, 'rows')
    setText(within(this.#section, '.shown', HTMLElement), count)
  }
}
